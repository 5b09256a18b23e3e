//! The joined files of a results folder: read and written cell by cell.

use super::cell::Cell;
use super::file::NewFile;
use super::frames::Frames;
use super::record::rows_of;
use super::stored_cell::StoredCell;
use super::table_reader::TableReader;
use super::table_writer::{TableWriter, commit};
use super::timing::{timing_columns, timings_of};
use super::trace::{trace_columns, traces_of};
use super::work::work_columns;
use super::{Record, StoreError, Tally, TimingRow, TraceRow, Works};
use std::iter::Peekable;
use std::path::{Path, PathBuf};

/// The joined rows.
pub(super) const CELLS: &str = "cells.parquet";
/// What they took.
pub(super) const TIMINGS: &str = "timings.parquet";
/// How the solvers of their models got there.
pub(super) const TRACES: &str = "convergence.parquet";

/// Cells of a row group.
const CELL_GROUP: usize = 8192;
/// Points of traces of a row group.
const TRACE_GROUP: usize = 65_536;

/// The cells of the joined files, in order. A timing or trace without a row belongs to a join that was stopped, whose parts
/// are there, and is passed over.
pub(super) struct JoinedReader<R> {
    path: PathBuf,
    rows: TableReader<R>,
    timings: Peekable<TableReader<TimingRow>>,
    traces: Peekable<TableReader<TraceRow>>,
    before: String,
}

impl<R: Record> JoinedReader<R> {
    /// Opens what is there in the results folder `folder`.
    ///
    /// # Errors
    /// [`StoreError`] if a file cannot be read.
    pub(super) fn open(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(CELLS);
        Ok(Self {
            rows: TableReader::open(&path, rows_of)?,
            timings: TableReader::open(&folder.join(TIMINGS), timings_of)?.peekable(),
            traces: TableReader::open(&folder.join(TRACES), traces_of)?.peekable(),
            path,
            before: String::new(),
        })
    }

    fn cell(&mut self, row: R) -> Result<StoredCell<R>, StoreError> {
        let id = row.cell_id();
        if *id <= *self.before {
            let unsorted = format!("cell {id} comes after {}: cells are sorted", self.before);
            return Err(StoreError::damaged(&self.path)(unsorted));
        }
        id.clone_into(&mut self.before);
        let (mut timing, mut trace) = (None, Vec::new());
        while let Some(next) = next_until(&mut self.timings, id, |timing| &timing.cell_id)? {
            timing = Some(next).filter(|timing| timing.cell_id == id);
        }
        while let Some(next) = next_until(&mut self.traces, id, |point| &point.cell_id)? {
            if next.cell_id == id {
                trace.push(next);
            }
        }
        Ok(StoredCell { row, timing, trace })
    }
}

/// The next row of `table`, if it is not of a cell after `id`.
fn next_until<T>(
    table: &mut Peekable<TableReader<T>>,
    id: &str,
    of: fn(&T) -> &str,
) -> Result<Option<T>, StoreError> {
    let is_next = |row: &Result<T, StoreError>| row.as_ref().map_or(true, |row| of(row) <= id);
    table.next_if(is_next).transpose()
}

impl<R: Record> Iterator for JoinedReader<R> {
    type Item = Result<StoredCell<R>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.next()?;
        Some(row.and_then(|row| self.cell(row)))
    }
}

/// Writes the joined files of the results folder `folder`, in groups of rows: the bytes depend on the cells alone.
pub(super) struct JoinedWriter<'a, R> {
    cells: TableWriter<'a, R>,
    timings: TableWriter<'a, TimingRow>,
    /// Where a solver told something.
    traces: Option<TableWriter<'a, TraceRow>>,
    traces_path: PathBuf,
    tally: Tally<R>,
}

impl<'a, R: Record + 'a> JoinedWriter<'a, R> {
    /// Files that `works` gives the work of each cell.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be made.
    pub(super) fn create(folder: &Path, works: &'a Works) -> Result<Self, StoreError> {
        let timings = move |rows: &[TimingRow]| {
            let works: Vec<_> = rows.iter().map(|row| works.get(&row.cell_id)).collect();
            let mut columns = timing_columns(rows);
            columns.extend(work_columns(&works));
            columns
        };
        Ok(Self {
            cells: TableWriter::create(&folder.join(CELLS), CELL_GROUP, R::columns)?,
            timings: TableWriter::create(&folder.join(TIMINGS), CELL_GROUP, timings)?,
            traces: None,
            traces_path: folder.join(TRACES),
            tally: Tally::default(),
        })
    }

    /// Adds `cell`, whose identity is after those before.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub(super) fn push(&mut self, cell: StoredCell<R>) -> Result<(), StoreError> {
        let StoredCell { row, timing, trace } = cell;
        self.tally.add(&row);
        self.cells.push(row)?;
        if let Some(timing) = timing {
            self.timings.push(timing)?;
        }
        for point in trace {
            let traces = match &mut self.traces {
                Some(traces) => traces,
                none => none.insert(TableWriter::create(
                    &self.traces_path,
                    TRACE_GROUP,
                    trace_columns,
                )?),
            };
            traces.push(point)?;
        }
        Ok(())
    }

    /// Moves the files into their places, that of the rows last: with it the parts may go.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be written; those that are not in their places are removed.
    pub(super) fn finish(self) -> Result<Tally<R>, StoreError> {
        let timings = self.timings.finish()?;
        let traces: Option<NewFile> = self.traces.map(TableWriter::finish).transpose()?;
        let cells = self.cells.finish()?;
        commit(timings)?;
        traces.map_or(Ok(()), commit)?;
        commit(cells)?;
        Ok(self.tally)
    }
}

/// The identities of the joined cells of the results folder `folder`.
///
/// # Errors
/// [`StoreError`] if they cannot be read.
pub(super) fn joined_ids(
    folder: &Path,
) -> Result<impl Iterator<Item = Result<String, StoreError>>, StoreError> {
    let frames = Frames::open(&folder.join(CELLS))?.of_columns(&["cell_id"])?;
    Ok(TableReader::new(frames, |frame| {
        let id = |i| Cell { frame, i }.text("cell_id");
        (0..frame.height()).map(id).collect()
    }))
}
