//! `convergence.parquet`: how the solver of each cell's model got there.

use super::StoreError;
use super::cell::{Cell, column};
use super::frames::Frames;
use super::table_reader::TableReader;
use polars::prelude::{Column, DataFrame, PolarsResult};
use robust_svm_solvers::TracePoint;
use std::path::Path;

/// What the solver of a cell's chosen model knew after an iteration; the last of a cell has the row's own values.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceRow {
    /// The cell.
    pub cell_id: String,
    /// Iterations made, as the solver counts them.
    pub iteration: u32,
    /// The least primal objective so far.
    pub primal: f64,
    /// The largest dual objective so far.
    pub dual: f64,
    /// `(P − D)/P`.
    pub relative_gap: f64,
}

impl TraceRow {
    /// What `point` says of the cell with the identity `cell_id`.
    pub fn new(cell_id: &str, point: &TracePoint) -> Self {
        Self {
            cell_id: cell_id.to_owned(),
            iteration: point.iteration as u32,
            primal: point.objective,
            dual: point.dual_objective,
            relative_gap: point.relative_gap.value(),
        }
    }
}

/// Reads a `convergence.parquet`; no rows where there is no such file, as of kinds of experiments without solvers, and in
/// folders of earlier versions.
///
/// # Errors
/// [`StoreError`] if the file cannot be read or is not such a file.
pub fn read_traces(path: &Path) -> Result<Vec<TraceRow>, StoreError> {
    TableReader::open(path, traces_of)?.collect()
}

/// A cell, an iteration and the relative gap after it.
type Gap = (String, (u32, f64));

/// The relative gap after each iteration of a `convergence.parquet`, with the cell; sorted and absent as in [`read_traces`], of
/// which some are in memory at a time.
///
/// # Errors
/// [`StoreError`] if the file cannot be read or is not such a file.
pub(crate) fn gaps(
    path: &Path,
) -> Result<impl Iterator<Item = Result<Gap, StoreError>>, StoreError> {
    let frames = Frames::open(path)?.of_columns(&["cell_id", "iteration", "relative_gap"])?;
    Ok(TableReader::new(frames, |frame| {
        let gap = |i: usize| {
            let cell = Cell { frame, i };
            let point = (cell.count("iteration")?, cell.number("relative_gap")?);
            Ok((cell.text("cell_id")?, point))
        };
        (0..frame.height()).map(gap).collect()
    }))
}

/// The columns of `rows`.
pub(super) fn trace_columns(rows: &[TraceRow]) -> Vec<Column> {
    vec![
        column(rows, "cell_id", |row| row.cell_id.as_str()),
        column(rows, "iteration", |row| row.iteration),
        column(rows, "primal", |row| row.primal),
        column(rows, "dual", |row| row.dual),
        column(rows, "relative_gap", |row| row.relative_gap),
    ]
}

/// The rows of what [`trace_columns`] made.
pub(super) fn traces_of(frame: &DataFrame) -> PolarsResult<Vec<TraceRow>> {
    let row = |i: usize| -> PolarsResult<TraceRow> {
        let cell = Cell { frame, i };
        Ok(TraceRow {
            cell_id: cell.text("cell_id")?,
            iteration: cell.count("iteration")?,
            primal: cell.number("primal")?,
            dual: cell.number("dual")?,
            relative_gap: cell.number("relative_gap")?,
        })
    };
    (0..frame.height()).map(row).collect()
}
