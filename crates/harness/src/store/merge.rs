//! Results folders of parts of one experiment, joined into one.

use super::folder::MANIFEST;
use super::joined::JoinedReader;
use super::lock::require_idle;
use super::part::part_ids;
use super::passes::{FAN_IN, merge_parts, part_sources};
use super::sorted_merge::{SortedMerge, Source, unite};
use super::stored::{PARTS, parts};
use super::stored_cell::StoredCell;
use super::{Manifest, Portion, Record, ResultsFolder, StoreError, Tally, Works};
use std::path::{Path, PathBuf};

/// What came of a merge.
#[derive(Debug)]
pub struct Merged<R> {
    /// How the cells ended.
    pub tally: Tally<R>,
    /// Files of the shards and of the folder joined into that are not whole.
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
/// What is in memory grows with the number of shards, not of cells.
///
/// # Errors
/// [`StoreError`] if a shard cannot be read, is being written, or was made from another experiment, code or data; if two
/// have different rows of one cell, of which neither was stopped by its run; if `out` cannot be written or is none of theirs.
pub fn merge<R: Record + 'static>(
    shards: &[PathBuf],
    out: &Path,
    ours: &Manifest,
    experiment: &str,
    planned: usize,
    works: &Works,
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
    let scratch = tempfile::TempDir::new();
    let scratch = scratch.map_err(StoreError::io("write", &std::env::temp_dir()))?;
    let mut torn = Vec::new();
    let mut inputs = Vec::with_capacity(shards.len());
    for shard in shards {
        inputs.push(Input::find::<R>(shard, scratch.path(), &mut torn)?);
    }
    // A conflict is found before anything is written.
    Agreed::<R>::new(&inputs, Vec::new(), out)?.try_for_each(|cell| cell.map(drop))?;
    let asked = manifest
        .part
        .take()
        .map_or_else(Vec::new, |part| part.asked);
    manifest.format = ours.format;
    manifest.part = Some(Portion { planned, asked });
    let folder = ResultsFolder::open(out, manifest, experiment, false)?;
    torn.extend(folder.recover::<R>()?.torn);
    let cells = Agreed::new(&inputs, folder.sources(FAN_IN)?, out)?;
    let tally = folder.write_joined(cells, works)?;
    folder.finish(&tally)?;
    Ok(Merged {
        tally,
        torn,
        other_code,
    })
}

/// A folder to merge, as it is read.
struct Input<'a> {
    folder: &'a Path,
    /// Its parts, or what they were merged into.
    parts: Vec<PathBuf>,
}

impl<'a> Input<'a> {
    /// What `folder` holds; many parts are merged into files in `scratch`, those that are not whole are put into `torn`.
    fn find<R: Record + 'static>(
        folder: &'a Path,
        scratch: &Path,
        torn: &mut Vec<PathBuf>,
    ) -> Result<Self, StoreError> {
        require_idle(folder)?;
        let mut whole = Vec::new();
        for part in parts(&folder.join(PARTS))? {
            match part_ids::<R>(&part)? {
                Some(_) => whole.push(part),
                None => torn.push(part),
            }
        }
        let parts = merge_parts::<R>(whole, scratch, FAN_IN)?;
        Ok(Self { folder, parts })
    }
}

/// The cells of several folders, each once, in order; a cell that is in two of them must have the same row. Of a cell that one
/// run or its machine stopped, the row of another that came to an end is taken, with its time and trace; of two that were
/// stopped, the first.
struct Agreed<'a, R> {
    cells: SortedMerge<R>,
    /// The folder of each source.
    folders: Vec<&'a Path>,
    same: Vec<(usize, StoredCell<R>)>,
}

impl<'a, R: Record + 'static> Agreed<'a, R> {
    /// The cells of `inputs`, and of the sources `own` of the folder `out`.
    fn new(inputs: &[Input<'a>], own: Vec<Source<R>>, out: &'a Path) -> Result<Self, StoreError> {
        let mut sources = Vec::new();
        let mut folders = Vec::new();
        for Input { folder, parts } in inputs {
            sources.extend(part_sources(parts)?);
            sources.push(Box::new(JoinedReader::open(folder)?));
            folders.resize(sources.len(), *folder);
        }
        sources.extend(own);
        folders.resize(sources.len(), out);
        Ok(Self {
            cells: SortedMerge::new(sources)?,
            folders,
            same: Vec::new(),
        })
    }

    /// Leaves out cells that their run stopped, where there is another.
    fn drop_stopped(&mut self) {
        let is_stopped = |cell: &StoredCell<R>| cell.row.status().is_of_the_run();
        if !self.same.iter().any(|(_, cell)| is_stopped(cell)) {
            return;
        }
        if self.same.iter().all(|(_, cell)| is_stopped(cell)) {
            let first = self.same.first().map(|(source, _)| self.folders[*source]);
            let folders = &self.folders;
            self.same
                .retain(|(source, _)| Some(folders[*source]) == first);
        } else {
            self.same.retain(|(_, cell)| !is_stopped(cell));
        }
    }

    fn next_agreed(&mut self) -> Result<Option<StoredCell<R>>, StoreError> {
        self.cells.next_into(&mut self.same)?;
        self.drop_stopped();
        if let Some(((first, one), others)) = self.same.split_first() {
            for (source, other) in others {
                let folders = [self.folders[*first], self.folders[*source]];
                if folders[0] == folders[1] {
                    continue;
                }
                let columns = differing(&one.row, &other.row);
                if !columns.is_empty() {
                    return Err(StoreError::Conflict {
                        cell: format!("{} ({})", other.id(), other.row.place()),
                        columns,
                        folders: folders.map(Path::to_owned),
                    });
                }
            }
        }
        Ok(unite(&mut self.same))
    }
}

impl<R: Record + 'static> Iterator for Agreed<'_, R> {
    type Item = Result<StoredCell<R>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_agreed().transpose()
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
