//! The files of `plots/`.

use super::curves::figures;
use super::drawing::Drawing;
use super::error::PlotError;
use super::lines::LineFigure;
use super::paper::PaperFigure;
use super::plane::PlaneFigure;
use super::{convergence, font, pdf, png, svg};
use crate::stats::{Axes, summarise};
use crate::store::{CellRow, TraceRow, write_atomically};
use std::path::Path;

/// Writes `accuracy`, `noisy_accuracy`, `robust_error` and, where the paper's bounds certify something of some method,
/// `certificates`, each as `.svg`, `.png` and `.pdf`, into `plots/` of a run's folder `dir`.
///
/// A panel per dataset, a line per method, the levels on a true scale; points are means over the measured cells, and the
/// figure says so where cells are missing. Files appear whole or not at all; the same rows, in any order, give the same bytes.
///
/// # Errors
/// [`PlotError`] for axes without a dataset, method or level, for a level that is not finite, and for what the drawing
/// library or the file system says.
pub fn write_plots(dir: &Path, rows: &[CellRow], axes: &Axes) -> Result<(), PlotError> {
    check(axes)?;
    let summary = summarise(rows, axes);
    write_all(dir, &figures(&summary, axes))
}

/// Writes `convergence` as `.svg`, `.png` and `.pdf` into `plots/` of a run's folder `dir`: the relative gap against
/// iterations at the hardest level, a line per method whose solver tells it; nothing if `traces` are of none of the cells.
///
/// # Errors
/// [`PlotError`] for what the drawing library or the file system says.
pub fn write_convergence(
    dir: &Path,
    rows: &[CellRow],
    traces: &[TraceRow],
    axes: &Axes,
) -> Result<(), PlotError> {
    match convergence::figure(rows, traces, axes) {
        Some(figure) => write_all(dir, &[("convergence", figure)]),
        None => Ok(()),
    }
}

/// Writes each figure as `.svg`, `.png` and `.pdf` with its name into `plots/` of a run's folder `dir`.
///
/// # Errors
/// [`PlotError`] for what the drawing library or the file system says.
pub(crate) fn write_figures(dir: &Path, figures: &[(String, LineFigure)]) -> Result<(), PlotError> {
    write_all(dir, figures)
}

/// Writes a figure for print as `.svg`, `.png` and `.pdf` with the name `name` into the folder `out`.
///
/// # Errors
/// [`PlotError`] for what the drawing library or the file system says.
pub(crate) fn write_paper(out: &Path, name: &str, figure: &PaperFigure) -> Result<(), PlotError> {
    write_one(out, name, figure)
}

/// The same of a figure of points in the plane.
///
/// # Errors
/// [`PlotError`] for what the drawing library or the file system says.
pub(crate) fn write_plane(out: &Path, name: &str, figure: &PlaneFigure) -> Result<(), PlotError> {
    write_one(out, name, figure)
}

fn write_all<S: AsRef<str>, D: Drawing>(dir: &Path, figures: &[(S, D)]) -> Result<(), PlotError> {
    let folder = dir.join("plots");
    figures
        .iter()
        .try_for_each(|(name, figure)| write_one(&folder, name.as_ref(), figure))
}

fn write_one(folder: &Path, name: &str, figure: &impl Drawing) -> Result<(), PlotError> {
    font::register()?;
    let write = |end: &str, bytes: &[u8]| {
        let path = folder.join(format!("{name}.{end}"));
        write_atomically(&path, bytes).map_err(|source| PlotError::Write { path, source })
    };
    let svg = svg::svg(figure)?;
    write("pdf", &pdf::pdf(&svg)?)?;
    write("svg", svg.as_bytes())?;
    write("png", &png::png(figure)?)
}

fn check(axes: &Axes) -> Result<(), PlotError> {
    let [datasets, methods, levels] = [axes.datasets.len(), axes.methods.len(), axes.levels.len()];
    if datasets == 0 || methods == 0 || levels == 0 {
        return Err(PlotError::EmptyAxes {
            datasets,
            methods,
            levels,
        });
    }
    match axes.levels.iter().find(|level| !level.is_finite()) {
        Some(&level) => Err(PlotError::Level(level)),
        None => Ok(()),
    }
}
