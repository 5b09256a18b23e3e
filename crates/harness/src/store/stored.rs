//! What a results folder holds, joined or not, for who only reads it and for the join.

use super::joined::{CELLS, TIMINGS, TRACES};
use super::lock::require_idle;
use super::part::read_part;
use super::timing::read_timings;
use super::{Record, StoreError, TimingRow, TraceRow, read_cells, read_traces};
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

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
        let mut known = BTreeSet::new();
        // Parts that are merged into others meanwhile are found in these.
        loop {
            let parts = parts(&path.join(PARTS))?.into_iter();
            let new: Vec<PathBuf> = parts.filter(|part| !known.contains(part)).collect();
            if new.is_empty() {
                break;
            }
            for part in &new {
                match read_part::<R>(part) {
                    Ok(Some(cells)) => {
                        for cell in cells {
                            rows.push(cell.row);
                            timings.extend(cell.timing);
                            traces.extend(cell.trace);
                        }
                    }
                    Ok(None) => torn.push(part.clone()),
                    Err(error) if error.is_missing() => {}
                    Err(error) => return Err(error),
                }
            }
            known.extend(new);
        }
        rows.extend(read_if_there(&path.join(CELLS), read_cells)?);
        timings.extend(read_if_there(&path.join(TIMINGS), read_timings)?);
        traces.extend(read_traces(&path.join(TRACES))?);
        traces.sort_by(|a, b| (&a.cell_id, a.iteration).cmp(&(&b.cell_id, b.iteration)));
        traces.dedup_by(|a, b| (&a.cell_id, a.iteration) == (&b.cell_id, b.iteration));
        rows.sort_by(|a, b| a.cell_id().cmp(b.cell_id()));
        rows.dedup_by(|a, b| a.cell_id() == b.cell_id());
        timings.sort_by(|a, b| a.cell_id.cmp(&b.cell_id));
        timings.dedup_by(|a, b| a.cell_id == b.cell_id);
        Ok(Self {
            rows,
            timings,
            traces,
            waiting: !known.is_empty(),
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
}

/// Whether rows of the results folder `path` wait to be joined: its run was stopped, or goes on.
///
/// # Errors
/// [`StoreError`] if the folder cannot be read.
pub fn has_waiting(path: &Path) -> Result<bool, StoreError> {
    Ok(!parts(&path.join(PARTS))?.is_empty())
}

/// The files in the folder `parts`, in order of name.
pub(super) fn parts(parts: &Path) -> Result<Vec<PathBuf>, StoreError> {
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
