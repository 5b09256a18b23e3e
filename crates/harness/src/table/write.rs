//! The files of `tables/`.

use super::certificates::{brackets, certificates_csv, certificates_markdown, widths};
use super::grid::lines;
use super::metric::METRICS;
use super::metric_csv::metric_csv;
use super::metric_markdown::metric_markdown;
use super::path::{equivalences, path_csv, path_markdown};
use super::selection::{selection_csv, selection_markdown, selections};
use crate::stats::{Axes, overall, summarise};
use crate::store::{CellRow, write_atomically};
use std::io;
use std::path::Path;

/// Writes `accuracy`, `noisy_accuracy`, `robust_error`, `certificates`, `selection` and, where radii are
/// uniform, `path_equivalence`, each as `.md` and `.csv`, into `tables/` of a run's folder `dir`.
///
/// Rows not on the axes are left out. Files appear whole or not at all; the same rows, in any order, give the same bytes.
///
/// # Errors
/// What the file system says.
pub fn write_tables(dir: &Path, rows: &[CellRow], axes: &Axes) -> io::Result<()> {
    let folder = dir.join("tables");
    let write = |name: &str, text: String| write_atomically(&folder.join(name), text.as_bytes());
    let summary = summarise(rows, axes);
    let overall = overall(rows, axes);
    let lines = lines(&summary, overall.as_deref(), axes);
    for metric in &METRICS {
        let markdown = metric_markdown(metric, &lines, &summary, axes);
        write(&format!("{}.md", metric.file), markdown)?;
        write(
            &format!("{}.csv", metric.file),
            metric_csv(metric, &lines, axes),
        )?;
    }
    let brackets = brackets(&summary);
    let widths = widths(&brackets, axes);
    let markdown = certificates_markdown(&brackets, &widths, &summary, axes.unit);
    write("certificates.md", markdown)?;
    write("certificates.csv", certificates_csv(&brackets, &widths))?;
    let selections = selections(rows, &summary, axes);
    write("selection.md", selection_markdown(&selections, axes.unit))?;
    write("selection.csv", selection_csv(&selections))?;
    let equivalences = equivalences(rows, axes);
    if !equivalences.is_empty() {
        write(
            "path_equivalence.md",
            path_markdown(&equivalences, axes.unit),
        )?;
        write("path_equivalence.csv", path_csv(&equivalences))?;
    }
    Ok(())
}
