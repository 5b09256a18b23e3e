//! The results folders of the shards, which tasks fill on other machines.

use super::Job;
use crate::store::{CellCounter, Record, StoreError, unfinished};
use std::marker::PhantomData;
use std::path::PathBuf;

/// How far the shards of a job are.
#[derive(Debug)]
pub(super) struct Shards<R> {
    shards: Vec<Shard>,
    row: PhantomData<R>,
}

#[derive(Debug)]
struct Shard {
    folder: PathBuf,
    counter: CellCounter,
    /// Its cells, and those that were stored when it was last looked at.
    cells: usize,
    stored: usize,
    is_finished: bool,
}

impl<R: Record> Shards<R> {
    /// Of `job`; `groups` has the number of cells of each group that is asked for.
    pub(super) fn new(job: &Job, groups: &[usize]) -> Self {
        let of_task = |task: usize| {
            let folder = job.shard(task);
            // As `--shard I/N` takes them.
            let cells = groups.iter().skip(task - 1).step_by(job.tasks).sum();
            Shard {
                counter: CellCounter::new(&folder),
                folder,
                cells,
                stored: 0,
                is_finished: false,
            }
        };
        Self {
            shards: (1..=job.tasks).map(of_task).collect(),
            row: PhantomData,
        }
    }

    /// Looks at those that were not finished. What cannot be read counts as not there, with a warning: another machine may be
    /// about to write it.
    pub(super) fn look(&mut self) {
        for shard in self.shards.iter_mut().filter(|shard| !shard.is_finished) {
            if let Err(error) = shard.look::<R>() {
                log::warn!("{error}");
            }
        }
    }

    /// Whether the results of each task are all there, in order.
    pub(super) fn finished(&self) -> impl Iterator<Item = bool> {
        self.shards.iter().map(|shard| shard.is_finished)
    }

    /// Cells that are stored, and all.
    pub(super) fn cells(&self) -> (usize, usize) {
        let stored = self.shards.iter().map(|shard| shard.stored).sum();
        (stored, self.shards.iter().map(|shard| shard.cells).sum())
    }
}

impl Shard {
    fn look<R: Record>(&mut self) -> Result<(), StoreError> {
        self.stored = self.counter.count::<R>()?.min(self.cells);
        self.is_finished = unfinished(&self.folder, &["cells.parquet"])?.is_none();
        Ok(())
    }
}
