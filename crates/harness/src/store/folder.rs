//! A results folder: opened for one experiment, filled group by group, joined at the end.

use super::file::write_atomically;
use super::timing::{read_timings, write_timings};
use super::trace::{TraceRow, read_traces, write_traces};
use super::{
    CellCounts, CellResult, Manifest, Record, StoreError, TimingRow, read_cells, write_cells,
};
use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// A results folder that this process alone works on.
#[derive(Debug)]
pub struct ResultsFolder {
    path: PathBuf,
    /// What its results are made from.
    manifest: Manifest,
    /// Held open: the lock goes with it.
    _lock: File,
}

const MANIFEST: &str = "manifest.toml";
const CELLS: &str = "cells.parquet";
const TIMINGS: &str = "timings.parquet";
/// How the solvers of the cells' models got there.
const TRACES: &str = "convergence.parquet";
const PARTS: &str = "parts";
const LOCK: &str = ".lock";
const EXPERIMENT: &str = "experiment.toml";
/// Everything a run writes but the lock: what `--fresh` removes. The manifest comes after what it speaks
/// for, so that rows without it are never the program's.
const OWN: [&str; 9] = [
    CELLS,
    TIMINGS,
    TRACES,
    PARTS,
    "summary.csv",
    "tables",
    "plots",
    MANIFEST,
    EXPERIMENT,
];

impl ResultsFolder {
    /// Opens `path` for the experiment of `manifest`, whose file has the text `experiment`, making it if
    /// need be; `fresh` discards what is there.
    ///
    /// # Errors
    /// [`StoreError`] if the folder cannot be written, is another experiment's, or is in use.
    pub fn open(
        path: &Path,
        manifest: Manifest,
        experiment: &str,
        fresh: bool,
    ) -> Result<Self, StoreError> {
        let manifest_path = path.join(MANIFEST);
        if !manifest_path.exists() && has_foreign_files(path)? {
            return Err(StoreError::NotResults {
                path: path.to_owned(),
            });
        }
        std::fs::create_dir_all(path).map_err(StoreError::unusable(path))?;
        let lock = lock(path)?;
        if fresh {
            discard(path)?;
        }
        if manifest_path.exists() {
            let differences = manifest.differences(&Manifest::read(&manifest_path)?);
            if !differences.is_empty() {
                return Err(StoreError::Mismatch {
                    path: path.to_owned(),
                    differences,
                });
            }
        } else {
            write(&path.join(EXPERIMENT), experiment)?;
            write(&manifest_path, &manifest.to_text())?;
        }
        Ok(Self {
            path: path.to_owned(),
            manifest,
            _lock: lock,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the rows of the group `part` wait to be joined.
    pub fn has_part(&self, part: &str) -> bool {
        self.part(part, CELLS).exists()
    }

    /// The identities of the cells that are joined.
    ///
    /// # Errors
    /// [`StoreError`] if what is stored cannot be read.
    pub fn joined_ids<R: Record>(&self) -> Result<BTreeSet<String>, StoreError> {
        let rows = read_if_there(&self.path.join(CELLS), read_cells::<R>)?;
        Ok(rows.iter().map(|row| row.cell_id().to_owned()).collect())
    }

    /// Stores the results of the group `part`, which `worker` ran. The rows come last: with them the group
    /// is done.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be written.
    pub fn store_group<R: Record>(
        &self,
        part: &str,
        worker: u32,
        results: &[CellResult<R>],
    ) -> Result<(), StoreError> {
        let peak_bytes = peak_bytes();
        let timings: Vec<TimingRow> = results
            .iter()
            .map(|result| TimingRow {
                cell_id: result.row.cell_id().to_owned(),
                seconds: result.seconds,
                peak_bytes,
                worker,
            })
            .collect();
        let rows: Vec<R> = results.iter().map(|result| result.row.clone()).collect();
        write_timings(&self.part(part, TIMINGS), &timings)?;
        let of_cell = |result: &CellResult<R>| -> Vec<TraceRow> {
            let points = result.trace.iter();
            let row = |point| TraceRow::new(result.row.cell_id(), point);
            points.map(row).collect()
        };
        let traces: Vec<TraceRow> = results.iter().flat_map(of_cell).collect();
        if !traces.is_empty() {
            write_traces(&self.part(part, TRACES), &traces)?;
        }
        write_cells(&self.part(part, CELLS), &rows)
    }

    /// Joins the rows of all groups, the `parts`, sorted by cell id, into `cells.parquet`,
    /// `timings.parquet` and, where solvers told how they got there, `convergence.parquet`, and returns them.
    ///
    /// # Errors
    /// [`StoreError`] if something cannot be read or written.
    pub fn join<R: Record>(&self, parts: &[String]) -> Result<Vec<R>, StoreError> {
        let (cells_path, timings_path) = (self.path.join(CELLS), self.path.join(TIMINGS));
        let mut rows: Vec<R> = read_if_there(&cells_path, read_cells)?;
        let mut timings = read_if_there(&timings_path, read_timings)?;
        let traces_path = self.path.join(TRACES);
        let mut traces = read_traces(&traces_path)?;
        let waiting: Vec<&String> = parts.iter().filter(|part| self.has_part(part)).collect();
        for part in &waiting {
            rows.extend(read_cells(&self.part(part, CELLS))?);
            timings.extend(read_timings(&self.part(part, TIMINGS))?);
            traces.extend(read_traces(&self.part(part, TRACES))?);
        }
        rows.sort_by(|a, b| a.cell_id().cmp(b.cell_id()));
        rows.dedup_by(|a, b| a.cell_id() == b.cell_id());
        if !waiting.is_empty() {
            timings.sort_by(|a, b| a.cell_id.cmp(&b.cell_id));
            timings.dedup_by(|a, b| a.cell_id == b.cell_id);
            write_timings(&timings_path, &timings)?;
            if !traces.is_empty() {
                let place = |row: &TraceRow| (row.cell_id.clone(), row.iteration);
                traces.sort_by_cached_key(place);
                traces.dedup_by_key(|row| place(row));
                write_traces(&traces_path, &traces)?;
            }
            write_cells(&cells_path, &rows)?;
        }
        let manifest = Manifest {
            cells: Some(CellCounts::of(&rows)),
            ..self.manifest.clone()
        };
        write(&self.path.join(MANIFEST), &manifest.to_text())?;
        let folder = self.path.join(PARTS);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(StoreError::io("remove", &folder))?;
        }
        Ok(rows)
    }

    /// Where the rows or timings of the group `part` wait to be joined.
    fn part(&self, part: &str, file: &str) -> PathBuf {
        self.path.join(PARTS).join(format!("{part}.{file}"))
    }
}

fn write(path: &Path, text: &str) -> Result<(), StoreError> {
    write_atomically(path, text.as_bytes()).map_err(StoreError::io("write", path))
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

/// Whether `path` is a folder with more than a run writes before its manifest.
fn has_foreign_files(path: &Path) -> Result<bool, StoreError> {
    if !path.exists() {
        return Ok(false);
    }
    for entry in std::fs::read_dir(path).map_err(StoreError::unusable(path))? {
        let name = entry.map_err(StoreError::unusable(path))?.file_name();
        // A run that was killed leaves the temporary file that it was writing.
        let temporary = name.to_string_lossy().starts_with(".tmp");
        if name != LOCK && name != EXPERIMENT && !temporary {
            return Ok(true);
        }
    }
    Ok(false)
}

fn lock(path: &Path) -> Result<File, StoreError> {
    let lock_path = path.join(LOCK);
    let file = File::create(&lock_path).map_err(StoreError::unusable(path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy {
            path: path.to_owned(),
        }),
        Err(TryLockError::Error(source)) => Err(StoreError::io("lock", &lock_path)(source)),
    }
}

/// Removes what a run wrote, but for the lock, which is held.
fn discard(path: &Path) -> Result<(), StoreError> {
    for name in OWN {
        let target = path.join(name);
        let removed = if target.is_dir() {
            std::fs::remove_dir_all(&target)
        } else if target.exists() {
            std::fs::remove_file(&target)
        } else {
            Ok(())
        };
        removed.map_err(StoreError::io("remove", &target))?;
    }
    Ok(())
}

/// The process's peak resident memory, from Linux's own account.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}
