//! A results folder: opened for one experiment, filled as cells end, joined at the end.

use super::file::{TEMPORARY, flush_folder, write_atomically};
use super::joined::{CELLS, JoinedReader, JoinedWriter, TIMINGS, TRACES, joined_ids};
use super::lock::{FolderLock, LOCK};
use super::part::{part_ids, write_part};
use super::passes::{FAN_IN, merge_parts, part_sources};
use super::sorted_merge::{SortedMerge, Source};
use super::stored::{PARTS, Stored, has_waiting, parts};
use super::stored_cell::StoredCell;
use super::{
    CellDone, Manifest, Record, RunIdentity, StoreError, Tally, TimingRow, TraceRow, Works,
};
use std::collections::BTreeSet;
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

/// What a results folder has of an experiment before it goes on.
#[derive(Debug)]
pub struct Recovered {
    /// The identities of the cells that are stored.
    pub ids: BTreeSet<String>,
    /// Files that were not whole.
    pub torn: Vec<PathBuf>,
}

/// The file that says what the results of a folder were made from.
pub(super) const MANIFEST: &str = "manifest.toml";
/// The experiment file as it was.
pub(crate) const EXPERIMENT: &str = "experiment.toml";
/// What is of a cluster that computes parts of the results. It outlives a run, and `--fresh`.
pub(crate) const SLURM: &str = "slurm";
/// What was launched there: by it a folder [`SLURM`] is known to be the program's.
pub(crate) const LAUNCHED: &str = "job.toml";
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

    /// The cells that are stored. Files that are not whole are removed: their cells are to do again.
    ///
    /// # Errors
    /// [`StoreError`] if what is stored cannot be read.
    pub fn recover<R: Record>(&self) -> Result<Recovered, StoreError> {
        let mut ids = BTreeSet::new();
        let mut torn = Vec::new();
        for part in parts(&self.path.join(PARTS))? {
            match part_ids::<R>(&part)? {
                Some(there) => ids.extend(there),
                None => torn.push(part),
            }
        }
        for torn in &torn {
            std::fs::remove_file(torn).map_err(StoreError::io("remove", torn))?;
        }
        for id in joined_ids(&self.path)? {
            ids.insert(id?);
        }
        Ok(Recovered { ids, torn })
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
        // A cell is stored once, so that its identity makes a name of its own.
        let name = format!("{}.part", first.result.row.cell_id());
        let mut cells: Vec<&CellDone<R>> = cells.iter().collect();
        cells.sort_by_key(|cell| cell.result.row.cell_id());
        let stored = |cell: &CellDone<R>| {
            let id = cell.result.row.cell_id();
            let points = cell.result.trace.iter();
            StoredCell {
                row: cell.result.row.clone(),
                timing: Some(TimingRow {
                    cell_id: id.to_owned(),
                    seconds: cell.result.seconds,
                    start_bytes: cell.start_bytes,
                    peak_bytes: cell.peak_bytes,
                    worker: cell.worker,
                }),
                trace: points.map(|point| TraceRow::new(id, point)).collect(),
            }
        };
        let cells = cells.into_iter().map(|cell| Ok(stored(cell)));
        write_part(&self.path.join(PARTS).join(name), cells)
    }

    /// Joins all cells that are stored, sorted by identity, into `cells.parquet`, `timings.parquet` and, where
    /// solvers told how they got there, `convergence.parquet`, and tells how they ended. What is in memory does not grow
    /// with their number. `works` is the work of each cell of the experiment.
    ///
    /// # Errors
    /// [`StoreError`] if something cannot be read or written.
    pub fn join<R: Record + 'static>(&self, works: &Works) -> Result<Tally<R>, StoreError> {
        let waiting = has_waiting(&self.path)?;
        let cells = SortedMerge::new(self.sources(FAN_IN)?)?.united();
        let tally = if !waiting && self.path.join(CELLS).exists() {
            let mut tally = Tally::default();
            for cell in cells {
                tally.add(&cell?.row);
            }
            tally
        } else {
            self.write_joined(cells, works)?
        };
        self.finish(&tally)?;
        Ok(tally)
    }

    /// What is stored: at most `fan_in` parts, into which the others are merged, and the joined cells.
    ///
    /// # Errors
    /// [`StoreError`] if something cannot be read, or parts cannot be merged.
    pub(super) fn sources<R: Record + 'static>(
        &self,
        fan_in: usize,
    ) -> Result<Vec<Source<R>>, StoreError> {
        let folder = self.path.join(PARTS);
        let parts = merge_parts::<R>(parts(&folder)?, &folder, fan_in)?;
        let mut sources = part_sources(&parts)?;
        sources.push(Box::new(JoinedReader::open(&self.path)?));
        Ok(sources)
    }

    /// Writes `cells`, sorted by identity, in the place of the joined ones, and tells how they ended.
    ///
    /// # Errors
    /// [`StoreError`] if one cannot be had, or they cannot be written.
    pub(super) fn write_joined<R: Record>(
        &self,
        cells: impl Iterator<Item = Result<StoredCell<R>, StoreError>>,
        works: &Works,
    ) -> Result<Tally<R>, StoreError> {
        let mut writer = JoinedWriter::create(&self.path, works)?;
        for cell in cells {
            writer.push(cell?)?;
        }
        writer.finish()
    }

    /// Writes the manifest of joined cells that ended as `tally` tells, and removes the parts.
    ///
    /// # Errors
    /// [`StoreError`] if the system refuses.
    pub(super) fn finish<R>(&self, tally: &Tally<R>) -> Result<(), StoreError> {
        let incomplete = |part: &super::Portion| tally.counts.total() < part.planned;
        let mut manifest = Manifest {
            cells: Some(tally.counts),
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
        Ok(())
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
        let launched = name == SLURM && path.join(SLURM).join(LAUNCHED).exists();
        if name != LOCK && name != EXPERIMENT && !launched && !temporary {
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
