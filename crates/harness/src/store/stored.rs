//! What a results folder holds, joined or not, for who only reads it and for the join.

use super::lock::require_idle;
use super::part::read_part;
use super::timing::read_timings;
use super::{Record, StoreError, TimingRow, TraceRow, read_cells, read_traces};
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The joined rows.
pub(super) const CELLS: &str = "cells.parquet";
/// What they took.
pub(super) const TIMINGS: &str = "timings.parquet";
/// How the solvers of their models got there.
pub(super) const TRACES: &str = "convergence.parquet";
/// The folder of rows that wait to be joined.
pub(super) const PARTS: &str = "parts";

/// The rows of a results folder.
#[derive(Debug)]
pub struct Stored<R> {
    /// The rows, sorted by cell id, each cell once.
    pub rows: Vec<R>,
    /// What they took, sorted by cell id.
    pub timings: Vec<TimingRow>,
    /// How the solvers of their models got there, sorted by cell id and iteration.
    pub traces: Vec<TraceRow>,
    /// Whether some of them wait to be joined.
    pub waiting: bool,
    /// Files that are not whole: their cells are not among the rows.
    pub torn: Vec<PathBuf>,
}

impl<R: Record> Stored<R> {
    /// Reads the folder `path`; one that does not exist has no rows. A process may write to it meanwhile: parts are read
    /// first, so that those which it joins and removes are found in the joined rows.
    ///
    /// # Errors
    /// [`StoreError`] if something cannot be read.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let (mut rows, mut timings) = (Vec::<R>::new(), Vec::new());
        let (mut traces, mut torn) = (Vec::new(), Vec::new());
        let parts = parts(&path.join(PARTS))?;
        let waiting = !parts.is_empty();
        for part in parts {
            match read_part(&part) {
                Ok(Some(part)) => {
                    rows.extend(part.rows);
                    timings.extend(part.timings);
                    traces.extend(part.traces);
                }
                Ok(None) => torn.push(part),
                Err(error) if error.is_missing() => {}
                Err(error) => return Err(error),
            }
        }
        rows.extend(read_if_there(&path.join(CELLS), read_cells)?);
        timings.extend(read_if_there(&path.join(TIMINGS), read_timings)?);
        traces.extend(read_traces(&path.join(TRACES))?);
        sort_traces(&mut traces);
        rows.sort_by(|a, b| a.cell_id().cmp(b.cell_id()));
        rows.dedup_by(|a, b| a.cell_id() == b.cell_id());
        timings.sort_by(|a, b| a.cell_id.cmp(&b.cell_id));
        timings.dedup_by(|a, b| a.cell_id == b.cell_id);
        Ok(Self {
            rows,
            timings,
            traces,
            waiting,
            torn,
        })
    }

    /// As [`Stored::read`], of a folder that nobody writes to.
    ///
    /// # Errors
    /// [`StoreError`], also if a process works on the folder.
    pub fn read_idle(path: &Path) -> Result<Self, StoreError> {
        require_idle(path)?;
        Self::read(path)
    }

    /// The identities of the cells.
    pub fn ids(&self) -> BTreeSet<String> {
        self.rows.iter().map(|r| r.cell_id().to_owned()).collect()
    }
}

/// Sorts by cell id and iteration, each once.
pub(super) fn sort_traces(traces: &mut Vec<TraceRow>) {
    traces.sort_by(|a, b| (&a.cell_id, a.iteration).cmp(&(&b.cell_id, b.iteration)));
    traces.dedup_by(|a, b| (&a.cell_id, a.iteration) == (&b.cell_id, b.iteration));
}

/// The files in the folder `parts`, in order of name.
fn parts(parts: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let io = |source| StoreError::io("list", parts)(source);
    let entries = match std::fs::read_dir(parts) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(io)?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(io)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "part")
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read_if_there<T>(
    path: &Path,
    read: impl Fn(&Path) -> Result<Vec<T>, StoreError>,
) -> Result<Vec<T>, StoreError> {
    if path.exists() {
        read(path)
    } else {
        Ok(Vec::new())
    }
}
