//! A results folder: opened for one experiment, filled group by group, joined at the end.

use super::file::write_atomically;
use super::timing::{read_timings, write_timings};
use super::{
    CellCounts, CellRow, Manifest, StageSeconds, StoreError, TimingRow, read_cells, write_cells,
};
use crate::plan::{GroupKey, Plan};
use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// A results folder that this process alone works on.
#[derive(Debug)]
pub struct ResultsFolder {
    path: PathBuf,
    /// Held open: the lock goes with it.
    _lock: File,
}

const MANIFEST: &str = "manifest.toml";
const CELLS: &str = "cells.parquet";
const TIMINGS: &str = "timings.parquet";
const PARTS: &str = "parts";
const LOCK: &str = ".lock";
const EXPERIMENT: &str = "experiment.toml";
/// Everything a run writes but the lock: what `--fresh` removes. The manifest comes after what it speaks
/// for, so that rows without it are never the program's.
const OWN: [&str; 8] = [
    CELLS,
    TIMINGS,
    PARTS,
    "summary.csv",
    "tables",
    "plots",
    MANIFEST,
    EXPERIMENT,
];

impl ResultsFolder {
    /// Opens `path` for `plan`, making it if need be; `fresh` discards what is there.
    ///
    /// # Errors
    /// [`StoreError`] if the folder cannot be written, is another experiment's, or is in use.
    pub fn open(path: &Path, plan: &Plan, fresh: bool) -> Result<Self, StoreError> {
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
        let manifest = Manifest::of(plan);
        if manifest_path.exists() {
            let differences = manifest.differences(&Manifest::read(&manifest_path)?);
            if !differences.is_empty() {
                return Err(StoreError::Mismatch {
                    path: path.to_owned(),
                    differences,
                });
            }
        } else {
            write(&path.join(EXPERIMENT), &plan.file.text)?;
            write(&manifest_path, &manifest.to_text())?;
        }
        Ok(Self {
            path: path.to_owned(),
            _lock: lock,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The groups whose rows are stored.
    ///
    /// # Errors
    /// [`StoreError`] if what is stored cannot be read.
    pub fn finished_groups(&self, plan: &Plan) -> Result<Vec<GroupKey>, StoreError> {
        let joined = self.joined_ids()?;
        let is_joined = |key: GroupKey| {
            plan.methods.iter().all(|method| {
                let stored = |level: &f64| joined.contains(&plan.cell(key, method, *level).id());
                plan.levels.iter().all(stored)
            })
        };
        Ok(plan
            .groups()
            .filter(|key| self.part(*key, CELLS).exists() || is_joined(*key))
            .collect())
    }

    fn joined_ids(&self) -> Result<BTreeSet<String>, StoreError> {
        let path = self.path.join(CELLS);
        if !path.exists() {
            return Ok(BTreeSet::new());
        }
        Ok(read_cells(&path)?
            .into_iter()
            .map(|row| row.cell_id)
            .collect())
    }

    /// Stores the results of a group that `worker` ran. The rows come last: with them the group is done.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be written.
    pub fn store_group(
        &self,
        key: GroupKey,
        worker: u32,
        results: &[(CellRow, StageSeconds)],
    ) -> Result<(), StoreError> {
        let peak_bytes = peak_bytes();
        let timings: Vec<TimingRow> = results
            .iter()
            .map(|(row, seconds)| TimingRow {
                cell_id: row.cell_id.clone(),
                seconds: *seconds,
                peak_bytes,
                worker,
            })
            .collect();
        let rows: Vec<CellRow> = results.iter().map(|(row, _)| row.clone()).collect();
        write_timings(&self.part(key, TIMINGS), &timings)?;
        write_cells(&self.part(key, CELLS), &rows)
    }

    /// Joins the rows of all groups, sorted by cell id, into `cells.parquet` and `timings.parquet`, and
    /// returns them.
    ///
    /// # Errors
    /// [`StoreError`] if something cannot be read or written.
    pub fn join(&self, plan: &Plan) -> Result<Vec<CellRow>, StoreError> {
        let (cells_path, timings_path) = (self.path.join(CELLS), self.path.join(TIMINGS));
        let mut rows = read_if_there(&cells_path, read_cells)?;
        let mut timings = read_if_there(&timings_path, read_timings)?;
        let mut parts = Vec::new();
        for key in plan.groups() {
            let part = self.part(key, CELLS);
            if part.exists() {
                rows.extend(read_cells(&part)?);
                timings.extend(read_timings(&self.part(key, TIMINGS))?);
                parts.push(part);
            }
        }
        rows.sort_by(|a, b| a.cell_id.cmp(&b.cell_id));
        rows.dedup_by(|a, b| a.cell_id == b.cell_id);
        if !parts.is_empty() {
            timings.sort_by(|a, b| a.cell_id.cmp(&b.cell_id));
            timings.dedup_by(|a, b| a.cell_id == b.cell_id);
            write_timings(&timings_path, &timings)?;
            write_cells(&cells_path, &rows)?;
        }
        let manifest = Manifest {
            cells: Some(CellCounts::of(&rows)),
            ..Manifest::of(plan)
        };
        write(&self.path.join(MANIFEST), &manifest.to_text())?;
        let folder = self.path.join(PARTS);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(StoreError::io("remove", &folder))?;
        }
        Ok(rows)
    }

    /// Where the rows or timings of a group wait to be joined.
    fn part(&self, key: GroupKey, file: &str) -> PathBuf {
        let name = format!("{:03}-{:04}.{file}", key.task, key.repeat);
        self.path.join(PARTS).join(name)
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
