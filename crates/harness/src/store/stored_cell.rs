//! All that is stored of one cell, and of several in tables.

use super::parquet::{from_plain_parquet, to_plain_parquet};
use super::record::rows_of;
use super::timing::{timing_columns, timings_of};
use super::trace::{trace_columns, traces_of};
use super::{Record, TimingRow, TraceRow};
use polars::prelude::PolarsResult;

/// The row of a cell, what it took, and how the solver of its model got there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StoredCell<R> {
    pub(super) row: R,
    pub(super) timing: Option<TimingRow>,
    /// In order of iteration.
    pub(super) trace: Vec<TraceRow>,
}

impl<R: Record> StoredCell<R> {
    /// The cell's identity.
    pub(super) fn id(&self) -> &str {
        self.row.cell_id()
    }

    /// `self`, with what `other` has of the same cell beside.
    pub(super) fn or(&mut self, other: Self) {
        if self.timing.is_none() {
            self.timing = other.timing;
        }
        if self.trace.is_empty() {
            self.trace = other.trace;
        }
    }
}

/// Rows, timings and traces of `cells` as Parquet.
pub(super) fn to_tables<R: Record>(cells: Vec<StoredCell<R>>) -> PolarsResult<[Vec<u8>; 3]> {
    let mut rows = Vec::with_capacity(cells.len());
    let (mut timings, mut traces) = (Vec::new(), Vec::new());
    for cell in cells {
        rows.push(cell.row);
        timings.extend(cell.timing);
        traces.extend(cell.trace);
    }
    Ok([
        to_plain_parquet(R::columns(&rows), rows.len())?,
        to_plain_parquet(timing_columns(&timings), timings.len())?,
        to_plain_parquet(trace_columns(&traces), traces.len())?,
    ])
}

/// What [`to_tables`] made tables of.
pub(super) fn of_tables<R: Record>(tables: [Vec<u8>; 3]) -> PolarsResult<Vec<StoredCell<R>>> {
    let [rows, timings, traces] = tables;
    let rows: Vec<R> = rows_of(&from_plain_parquet(rows)?)?;
    let mut timings = timings_of(&from_plain_parquet(timings)?)?
        .into_iter()
        .peekable();
    let mut traces = traces_of(&from_plain_parquet(traces)?)?
        .into_iter()
        .peekable();
    let cell = |row: R| {
        let timing = timings.next_if(|timing| timing.cell_id == row.cell_id());
        let trace = std::iter::from_fn(|| traces.next_if(|point| point.cell_id == row.cell_id()));
        let trace = trace.collect();
        StoredCell { row, timing, trace }
    };
    Ok(rows.into_iter().map(cell).collect())
}
