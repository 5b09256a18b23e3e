//! A results folder: opened for one experiment, filled as cells end, joined at the end.

use super::file::{TEMPORARY, flush_folder, write_atomically};
use super::lock::{FolderLock, LOCK};
use super::part::{Part, write_part};
use super::stored::{CELLS, PARTS, Stored, TIMINGS, TRACES};
use super::timing::write_timings;
use super::trace::write_traces;
use super::{
    CellCounts, CellDone, Manifest, Record, RunIdentity, StoreError, TimingRow, TraceRow, Work,
    write_cells,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// A results folder that this process alone works on.
#[derive(Debug)]
pub struct ResultsFolder {
    path: PathBuf,
    /// What its results are made from.
    manifest: Manifest,
    /// Whether a run is under way, the last that the manifest names.
    begun: bool,
    /// Whether the manifest on the disk names it.
    noted: AtomicBool,
    _lock: FolderLock,
}

/// The file that says what the results of a folder were made from.
pub(super) const MANIFEST: &str = "manifest.toml";
/// The experiment file as it was.
pub(crate) const EXPERIMENT: &str = "experiment.toml";
/// Everything a run writes but the lock: what `--fresh` removes. The manifest comes after what it speaks
/// for, so that rows without it are never the program's.
const OWN: [&str; 10] = [
    CELLS,
    TIMINGS,
    TRACES,
    PARTS,
    "summary.csv",
    "tables",
    "plots",
    "report.html",
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
        mut manifest: Manifest,
        experiment: &str,
        fresh: bool,
    ) -> Result<Self, StoreError> {
        let manifest_path = path.join(MANIFEST);
        require_results(path)?;
        std::fs::create_dir_all(path).map_err(StoreError::unusable(path))?;
        let lock = FolderLock::take(path)?;
        if fresh {
            discard(path)?;
        }
        if manifest_path.exists() {
            let there = require_same(path, &manifest)?;
            if let (Some(asked), Some(before)) = (&manifest.part, there.part) {
                manifest.part = Some(before.with(asked));
            }
            // What made the rows that are there comes before what makes others.
            manifest.run.retain(|run| !there.run.contains(run));
            manifest.run.splice(0..0, there.run);
        } else {
            write(&path.join(EXPERIMENT), experiment)?;
            write(&manifest_path, &manifest.to_text())?;
        }
        remove_temporary(path)?;
        Ok(Self {
            path: path.to_owned(),
            manifest,
            begun: false,
            noted: AtomicBool::new(true),
            _lock: lock,
        })
    }

    /// What `path` holds of the experiment of `manifest`; `None` if it holds nothing. Nothing is written.
    ///
    /// # Errors
    /// [`StoreError`] where [`ResultsFolder::open`] would refuse the folder for what is in it, or cannot read it.
    pub fn look<R: Record>(
        path: &Path,
        manifest: &Manifest,
    ) -> Result<Option<Stored<R>>, StoreError> {
        require_results(path)?;
        if !path.join(MANIFEST).exists() {
            return Ok(None);
        }
        require_same(path, manifest)?;
        Stored::read(path).map(Some)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `run` computes what comes from now on: the manifest says so from the first group on that it stores.
    pub fn begin(&mut self, run: RunIdentity) {
        self.manifest.run.push(run);
        self.begun = true;
        self.noted = AtomicBool::new(false);
    }

    /// The rows that are stored. Files that are not whole are removed: their cells are to do again.
    ///
    /// # Errors
    /// [`StoreError`] if what is stored cannot be read.
    pub fn recover<R: Record>(&self) -> Result<Stored<R>, StoreError> {
        let stored = Stored::read(&self.path)?;
        for torn in &stored.torn {
            std::fs::remove_file(torn).map_err(StoreError::io("remove", torn))?;
        }
        Ok(stored)
    }

    /// Stores `cells`, none of which is stored yet.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be written.
    pub fn store<R: Record>(&self, cells: &[CellDone<R>]) -> Result<(), StoreError> {
        let Some(first) = cells.first() else {
            return Ok(());
        };
        if !self.noted.swap(true, Ordering::Relaxed) {
            write(&self.path.join(MANIFEST), &self.manifest.to_text())?;
        }
        let timing = |cell: &CellDone<R>| TimingRow {
            cell_id: cell.result.row.cell_id().to_owned(),
            seconds: cell.result.seconds,
            peak_bytes: cell.peak_bytes,
            worker: cell.worker,
        };
        let timings: Vec<TimingRow> = cells.iter().map(timing).collect();
        let rows: Vec<R> = cells.iter().map(|cell| cell.result.row.clone()).collect();
        // A cell is stored once, so that its identity makes a name of its own.
        let name = format!("{}.part", first.result.row.cell_id());
        let traces = cells.iter().flat_map(|cell| {
            let points = cell.result.trace.iter();
            points.map(|point| TraceRow::new(cell.result.row.cell_id(), point))
        });
        let part = Part {
            rows,
            timings,
            traces: traces.collect(),
        };
        write_part(&self.path.join(PARTS).join(name), &part)
    }

    /// Joins all rows that are stored, sorted by cell id, into `cells.parquet`, `timings.parquet` and, where
    /// solvers told how they got there, `convergence.parquet`, and returns them.
    /// `works` is the work of each cell of the experiment.
    ///
    /// # Errors
    /// [`StoreError`] if something cannot be read or written.
    pub fn join<R: Record>(&self, works: &BTreeMap<String, Work>) -> Result<Vec<R>, StoreError> {
        let stored = Stored::read(&self.path)?;
        if let Some(torn) = stored.torn.first() {
            return Err(StoreError::damaged(torn)(
                "it has changed since it was written",
            ));
        }
        let joined = !stored.waiting && self.path.join(CELLS).exists();
        self.finish(stored, works, !joined)
    }

    /// Writes `stored` in the place of what is there, which it holds: `cells.parquet` and `timings.parquet` if `write_rows`,
    /// then the manifest; and removes the parts.
    pub(super) fn finish<R: Record>(
        &self,
        stored: Stored<R>,
        works: &BTreeMap<String, Work>,
        write_rows: bool,
    ) -> Result<Vec<R>, StoreError> {
        let Stored {
            rows,
            timings,
            traces,
            ..
        } = stored;
        if write_rows {
            write_timings(&self.path.join(TIMINGS), &timings, |id| works.get(id))?;
            drop(timings);
            if !traces.is_empty() {
                write_traces(&self.path.join(TRACES), &traces)?;
            }
            drop(traces);
            write_cells(&self.path.join(CELLS), &rows)?;
        }
        let incomplete = |part: &super::Portion| rows.len() < part.planned;
        let mut manifest = Manifest {
            cells: Some(CellCounts::of(&rows)),
            part: self.manifest.part.clone().filter(incomplete),
            ..self.manifest.clone()
        };
        if self.begun {
            // A run that computed nothing made nothing.
            let run = manifest.run.pop();
            let run = run.filter(|_| self.noted.load(Ordering::Relaxed));
            manifest.run.extend(run.map(RunIdentity::ended));
        }
        write(&self.path.join(MANIFEST), &manifest.to_text())?;
        let parts = self.path.join(PARTS);
        if parts.exists() {
            std::fs::remove_dir_all(&parts)
                .and_then(|()| flush_folder(&self.path))
                .map_err(StoreError::io("remove", &parts))?;
        }
        Ok(rows)
    }
}

fn write(path: &Path, text: &str) -> Result<(), StoreError> {
    write_atomically(path, text.as_bytes()).map_err(StoreError::io("write", path))
}

/// An error if `path` has things in it that are not the program's.
fn require_results(path: &Path) -> Result<(), StoreError> {
    if !path.join(MANIFEST).exists() && has_foreign_files(path)? {
        return Err(StoreError::NotResults {
            path: path.to_owned(),
        });
    }
    Ok(())
}

/// The manifest in `path`; an error if its results were not made from what `manifest` says.
fn require_same(path: &Path, manifest: &Manifest) -> Result<Manifest, StoreError> {
    let there = Manifest::read(&path.join(MANIFEST))?;
    let differences = manifest.differences(&there);
    if differences.is_empty() {
        return Ok(there);
    }
    Err(StoreError::Mismatch {
        path: path.to_owned(),
        differences,
    })
}

/// Whether `path` is a folder with more than a run writes before its manifest.
fn has_foreign_files(path: &Path) -> Result<bool, StoreError> {
    if !path.exists() {
        return Ok(false);
    }
    for entry in std::fs::read_dir(path).map_err(StoreError::unusable(path))? {
        let name = entry.map_err(StoreError::unusable(path))?.file_name();
        // A run that was killed leaves the temporary file that it was writing.
        let temporary = name.to_string_lossy().starts_with(TEMPORARY);
        if name != LOCK && name != EXPERIMENT && !temporary {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes the temporary files that a run which was killed has left in `path` and in the folders that it wrote to.
fn remove_temporary(path: &Path) -> Result<(), StoreError> {
    for folder in ["", PARTS, "tables", "plots"] {
        let folder = path.join(folder);
        if !folder.is_dir() {
            continue;
        }
        let io = |source| StoreError::io("list", &folder)(source);
        for entry in std::fs::read_dir(&folder).map_err(io)? {
            let entry = entry.map_err(io)?;
            if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
                let left = entry.path();
                std::fs::remove_file(&left).map_err(StoreError::io("remove", &left))?;
            }
        }
    }
    Ok(())
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
