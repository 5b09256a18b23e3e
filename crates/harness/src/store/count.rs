//! How many cells a results folder has, for who watches another process fill it.

use super::joined::joined_ids;
use super::part::part_ids;
use super::stored::{PARTS, parts};
use super::{Record, StoreError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Counts the cells of a folder again and again, and reads each of its parts once.
#[derive(Debug)]
pub struct CellCounter {
    folder: PathBuf,
    /// The cells of the parts that are known.
    parts: BTreeMap<PathBuf, usize>,
}

impl CellCounter {
    /// Of the results folder `path`, which need not exist yet.
    pub fn new(path: &Path) -> Self {
        Self {
            folder: path.to_owned(),
            parts: BTreeMap::new(),
        }
    }

    /// The cells that are stored. While a run joins its parts, cells may be counted twice.
    ///
    /// # Errors
    /// [`StoreError`] if the folder cannot be read.
    pub fn count<R: Record>(&mut self) -> Result<usize, StoreError> {
        let mut known = BTreeMap::new();
        for part in parts(&self.folder.join(PARTS))? {
            let cells = match self.parts.remove(&part) {
                Some(cells) => cells,
                None => match part_ids::<R>(&part) {
                    // One that is not whole is run again.
                    Ok(ids) => ids.map_or(0, |ids| ids.len()),
                    // Merged into another meanwhile.
                    Err(error) if error.is_missing() => continue,
                    Err(error) => return Err(error),
                },
            };
            known.insert(part, cells);
        }
        self.parts = known;
        let mut joined = 0;
        for id in joined_ids(&self.folder)? {
            id?;
            joined += 1;
        }
        Ok(self.parts.values().sum::<usize>() + joined)
    }
}
