//! Results folders of parts of one experiment, joined into one.

use super::folder::MANIFEST;
use super::stored::sort_traces;
use super::{
    Manifest, Portion, Record, ResultsFolder, StoreError, Stored, TimingRow, TraceRow, Work,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What came of a merge.
#[derive(Debug)]
pub struct Merged<R> {
    /// The rows, sorted by cell id.
    pub rows: Vec<R>,
    /// Files of the shards that are not whole.
    pub torn: Vec<PathBuf>,
    /// Whether code other than this made the shards.
    pub other_code: bool,
}

/// The manifest that `shards` have in common: that of the first, whose part is what they were all asked for.
///
/// # Errors
/// [`StoreError`] if one cannot be read, or was made from another experiment, code or data than the first.
pub fn shard_manifest(shards: &[PathBuf]) -> Result<Manifest, StoreError> {
    let mut common: Option<Manifest> = None;
    for shard in shards {
        let path = shard.join(MANIFEST);
        if !path.exists() {
            return Err(StoreError::NoShard {
                path: shard.clone(),
            });
        }
        let manifest = Manifest::read(&path)?;
        let Some(first) = &mut common else {
            common = Some(manifest);
            continue;
        };
        let differences = first.differences(&manifest);
        if !differences.is_empty() {
            return Err(StoreError::OtherShard {
                path: shard.clone(),
                first: shards[0].clone(),
                differences,
            });
        }
        first.run.extend(manifest.run);
        first.part = match (first.part.take(), manifest.part) {
            (Some(first), Some(part)) => Some(first.with(&part)),
            (first, part) => first.or(part),
        };
    }
    Ok(common.expect("there is a shard"))
}

/// Joins `shards` into the folder `out`, whose own rows, if it has any, take part. `planned` is the number of cells of the
/// experiment as this program plans it: `ours` says from what, `experiment` is its file's text, `works` its cells' work.
///
/// # Errors
/// [`StoreError`] if a shard cannot be read, is being written, or was made from another experiment, code or data; if two
/// have different rows of one cell, of which neither was stopped by its run; if `out` cannot be written or is none of theirs.
pub fn merge<R: Record>(
    shards: &[PathBuf],
    out: &Path,
    ours: &Manifest,
    experiment: &str,
    planned: usize,
    works: &BTreeMap<String, Work>,
) -> Result<Merged<R>, StoreError> {
    let mut manifest = shard_manifest(shards)?;
    let mut differences = ours.differences(&manifest);
    let code = differences.iter().position(|what| what == Manifest::CODE);
    let other_code = code.map(|index| differences.remove(index)).is_some();
    if !differences.is_empty() {
        return Err(StoreError::OtherData {
            path: shards[0].clone(),
            differences,
        });
    }
    let mut joined = Joined::default();
    let mut torn = Vec::new();
    for shard in shards {
        let stored = Stored::read_idle(shard)?;
        torn.extend(stored.torn.iter().cloned());
        joined.add(shard, stored)?;
    }
    let asked = manifest
        .part
        .take()
        .map_or_else(Vec::new, |part| part.asked);
    manifest.format = ours.format;
    manifest.part = Some(Portion { planned, asked });
    let folder = ResultsFolder::open(out, manifest, experiment, false)?;
    joined.add(out, folder.recover()?)?;
    let rows = folder.finish(joined.stored(), works, true)?;
    Ok(Merged {
        rows,
        torn,
        other_code,
    })
}

/// Rows by cell id, each with the folder it came from.
struct Joined<R> {
    rows: BTreeMap<String, (R, PathBuf)>,
    timings: BTreeMap<String, TimingRow>,
    traces: Vec<TraceRow>,
}

impl<R> Default for Joined<R> {
    fn default() -> Self {
        Self {
            rows: BTreeMap::new(),
            timings: BTreeMap::new(),
            traces: Vec::new(),
        }
    }
}

impl<R: Record> Joined<R> {
    /// Adds what `folder` holds; a cell that is there already must have the same row. Of a cell that one run or its machine
    /// stopped, the row of another that came to an end is taken, with its time and trace; of two that were stopped, the
    /// first.
    fn add(&mut self, folder: &Path, mut stored: Stored<R>) -> Result<(), StoreError> {
        let (mut replaced, mut passed_over) = (BTreeSet::new(), BTreeSet::new());
        for row in stored.rows {
            let id = row.cell_id().to_owned();
            match self.rows.get(&id) {
                None => {
                    self.rows.insert(id, (row, folder.to_owned()));
                }
                Some(_) if row.status().is_of_the_run() => {
                    passed_over.insert(id);
                }
                Some((other, _)) if other.status().is_of_the_run() => {
                    replaced.insert(id.clone());
                    self.rows.insert(id, (row, folder.to_owned()));
                }
                Some((other, first)) => {
                    let columns = differing(other, &row);
                    if !columns.is_empty() {
                        return Err(StoreError::Conflict {
                            cell: format!("{} ({})", row.cell_id(), row.place()),
                            columns,
                            folders: [first.clone(), folder.to_owned()],
                        });
                    }
                }
            }
        }
        self.timings.retain(|id, _| !replaced.contains(id));
        self.traces
            .retain(|trace| !replaced.contains(&trace.cell_id));
        stored
            .timings
            .retain(|timing| !passed_over.contains(&timing.cell_id));
        stored
            .traces
            .retain(|trace| !passed_over.contains(&trace.cell_id));
        for timing in stored.timings {
            self.timings.entry(timing.cell_id.clone()).or_insert(timing);
        }
        self.traces.extend(stored.traces);
        sort_traces(&mut self.traces);
        Ok(())
    }

    fn stored(self) -> Stored<R> {
        Stored {
            rows: self.rows.into_values().map(|(row, _)| row).collect(),
            timings: self.timings.into_values().collect(),
            traces: self.traces,
            waiting: false,
            torn: Vec::new(),
        }
    }
}

/// The names of the columns in which two rows differ.
fn differing<R: Record>(a: &R, b: &R) -> Vec<String> {
    let (a, b) = (
        R::columns(std::slice::from_ref(a)),
        R::columns(std::slice::from_ref(b)),
    );
    let pairs = a.iter().zip(&b);
    pairs
        .filter(|(a, b)| !a.equals_missing(b))
        .map(|(a, _)| a.name().to_string())
        .collect()
}
