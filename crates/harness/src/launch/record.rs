//! `slurm/job.toml`: what was launched in a results folder, so that the same command finds it again.

use super::{Job, LaunchError};
use crate::store::{Manifest, StoreError, write_atomically};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The layout of the file.
const FORMAT: u32 = 1;

/// What stands in the place of the tasks where the merge was handed in.
pub(super) const MERGE: &str = "merge";

/// What was launched. It is written before a job is: jobs are found by their name, so that none is lost whose submission
/// was the last thing this program did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRecord {
    format: u32,
    /// The array job's name in the queue.
    pub name: String,
    /// Its tasks: the shards that the experiment is cut into.
    pub tasks: usize,
    /// What is asked for, as on the command line; empty of the whole.
    pub selection: String,
    /// What was handed in, in order.
    #[serde(default)]
    pub submission: Vec<Submission>,
    /// What the results are made from.
    made_from: Manifest,
}

/// What can be read of a record of any format.
#[derive(Deserialize)]
struct Layout {
    format: u32,
}

/// Tasks that were handed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// The number of the array job, or of the merge.
    pub job: String,
    /// The tasks, as `1-4,7`; of the merge `merge`.
    pub tasks: String,
}

impl JobRecord {
    /// Of a job that is to be launched.
    pub fn new(name: String, tasks: usize, selection: String, made_from: Manifest) -> Self {
        Self {
            format: FORMAT,
            name,
            tasks,
            selection,
            submission: Vec::new(),
            made_from,
        }
    }

    /// What was launched in the results folder `results`; `None` where nothing was.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn read(results: &Path) -> Result<Option<Self>, StoreError> {
        let path = path(results);
        if !path.exists() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&path).map_err(StoreError::io("read", &path))?;
        let Layout { format } = toml::from_str(&text).map_err(StoreError::damaged(&path))?;
        if format > FORMAT {
            return Err(StoreError::Newer {
                path,
                format,
                known: FORMAT,
            });
        }
        let record = toml::from_str(&text).map_err(StoreError::damaged(&path))?;
        Ok(Some(record))
    }

    /// An error where `self`, found in `results`, is not what `asked` would launch.
    ///
    /// # Errors
    /// [`LaunchError::OtherJob`] with what differs.
    pub fn require_same(&self, asked: &Self, results: &Path) -> Result<(), LaunchError> {
        let mut differences = asked.made_from.differences(&self.made_from);
        let whole = |selection: &str| match selection {
            "" => "the whole".to_owned(),
            selection => format!("`{selection}`"),
        };
        if asked.selection != self.selection {
            let [now, then] = [&asked.selection, &self.selection].map(|s| whole(s));
            differences.push(format!("selection of cells ({then}, not {now})"));
        }
        if asked.tasks != self.tasks {
            differences.push(format!(
                "number of tasks ({}, not {})",
                self.tasks, asked.tasks
            ));
        }
        if differences.is_empty() {
            return Ok(());
        }
        Err(LaunchError::OtherJob {
            folder: results.to_owned(),
            differences,
        })
    }

    /// The number of the merge that was handed in last.
    pub(super) fn last_merge(&self) -> Option<&str> {
        let mut latest = self.submission.iter().rev();
        let merge = latest.find(|submission| submission.tasks == MERGE);
        merge.map(|submission| submission.job.as_str())
    }

    /// Writes it into its place below the results folder of `job`.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn write(&self, job: &Job) -> Result<(), StoreError> {
        let path = path(&job.results);
        let text = toml::to_string(self).expect("a record can be written");
        write_atomically(&path, text.as_bytes()).map_err(StoreError::io("write", &path))
    }
}

fn path(results: &Path) -> PathBuf {
    results.join(crate::store::SLURM).join("job.toml")
}
