//! `--fresh` on a cluster: what an earlier launch has left goes.

use super::exit::{Ended, store_error};
use super::launch::launch_error;
use crate::launch::{Job, LaunchError, active_jobs};
use crate::store::{FolderLock, LAUNCHED, StoreError};

/// What an earlier launch has left, which no process follows.
pub(super) struct Earlier<'a> {
    job: &'a Job,
    _lock: FolderLock,
}

impl<'a> Earlier<'a> {
    /// What is to be discarded of `job`; an error if its jobs are in the queue, or are followed.
    pub(super) fn find(job: &'a Job) -> Result<Option<Self>, Ended> {
        require_none_active(job).map_err(launch_error)?;
        let folder = job.folder();
        // A folder of this name that another made is not ours to empty.
        if !folder.join(LAUNCHED).exists() {
            return Ok(None);
        }
        let lock = FolderLock::take(&folder).map_err(store_error)?;
        Ok(Some(Self { job, _lock: lock }))
    }

    /// Removes what a launch makes, and nothing else. What tells whose the folder is goes last, so that a removal which is
    /// cut short can be done again.
    pub(super) fn discard(self) -> Result<(), StoreError> {
        let job = self.job;
        let launched = job.folder().join(LAUNCHED);
        let files = [job.array_path(), job.merge_path(), launched];
        for path in [job.shards(), job.logs()].into_iter().chain(files) {
            let removed = if path.is_dir() {
                std::fs::remove_dir_all(&path)
            } else if path.exists() {
                std::fs::remove_file(&path)
            } else {
                Ok(())
            };
            removed.map_err(StoreError::io("remove", &path))?;
        }
        Ok(())
    }
}

/// An error if jobs are in the queue that work on what is in the folder.
fn require_none_active(job: &Job) -> Result<(), LaunchError> {
    let jobs = active_jobs(&[&job.name, &job.merge_name()])?;
    if jobs.is_empty() {
        return Ok(());
    }
    Err(LaunchError::Active {
        folder: job.results.clone(),
        jobs: jobs.join(" "),
    })
}
