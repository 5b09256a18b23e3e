//! Why an experiment cannot be run on a cluster.

use crate::store::StoreError;
use std::path::PathBuf;

/// Why an experiment cannot be run on a cluster.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// A command of Slurm is not there.
    #[error(
        "`{program}` is not installed here, or not on the PATH\n  \
         = help: run this on a machine of a Slurm cluster, or without `--launcher slurm`"
    )]
    NotInstalled {
        /// The command.
        program: &'static str,
    },
    /// A command cannot be started.
    #[error("cannot start `{program}`: {source}")]
    Start {
        /// The command.
        program: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// A job was refused.
    #[error(
        "Slurm does not take the job\n  {command}\n{said}\n  \
         = help: --partition, --account, --time, --memory, --jobs and --sbatch-arg say what is asked for; \
         the same command goes on from here"
    )]
    Refused {
        /// The command line.
        command: String,
        /// All that it said, by lines.
        said: String,
    },
    /// The queue cannot be looked at.
    #[error(
        "Slurm does not tell of its jobs\n  {command}\n{said}\n  \
         = help: jobs that are submitted go on; the same command follows them again"
    )]
    Queue {
        /// The command line.
        command: String,
        /// All that it said, by lines.
        said: String,
    },
    /// A command's answer is not understood.
    #[error("`{program}` answered what this program does not understand: {answer}")]
    Answer {
        /// The command.
        program: &'static str,
        /// Its answer, or the line of it.
        answer: String,
    },
    /// A path cannot be written into a script.
    #[error("{} cannot be written into a batch script\n  = help: choose a path of printable UTF-8", .0.display())]
    Path(PathBuf),
    /// The folder has a job of another make.
    #[error(
        "{} was launched with another {}\n  \
         = help: launch it as before, choose another folder with --out, or discard what is there with --fresh",
        folder.display(),
        differences.join(", another ")
    )]
    OtherJob {
        /// The results folder.
        folder: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// Jobs are in the queue that work on what is to be discarded.
    #[error(
        "jobs of {} are in the queue: {jobs}\n  \
         = help: end them with `scancel {jobs}`, then start again; without --fresh the command follows them",
        folder.display()
    )]
    Active {
        /// The results folder.
        folder: PathBuf,
        /// Their numbers.
        jobs: String,
    },
    /// Tasks did not finish, as often as they were submitted.
    #[error(
        "{} of {of} tasks did not finish:{}\n  \
         = help: the same command submits them again, and each goes on from what it has; --time, --memory or \
         --retries may help",
        tasks.len(),
        tasks.iter().map(ToString::to_string).collect::<String>()
    )]
    Lost {
        /// How each ended.
        tasks: Vec<LostTask>,
        /// All tasks.
        of: usize,
    },
    /// The job that joins the shards did not do it.
    #[error(
        "every task is finished, and the job that joins them failed:{end}\n  \
         = help: the same command submits it again; `robust-svm merge` joins the folders of {} here",
        shards.display()
    )]
    NotMerged {
        /// How it ended, and the end of its log.
        end: Box<LostTask>,
        /// The folder of the shards.
        shards: PathBuf,
    },
    /// Results cannot be stored or read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A task or job that ended without what it was for.
#[derive(Debug)]
pub struct LostTask {
    /// What it is: `task 3`.
    pub what: String,
    /// Slurm's word for how it ended, where it still knows.
    pub state: Option<String>,
    /// How often it was submitted.
    pub times: usize,
    /// Its log, and the last lines of it.
    pub log: PathBuf,
    /// The last lines of the log.
    pub tail: String,
}

impl std::fmt::Display for LostTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.state.as_deref().unwrap_or("left the queue");
        let times = match self.times {
            1 => "submitted once".to_owned(),
            times => format!("submitted {times} times"),
        };
        let log = self.log.display();
        write!(f, "\n  {}: {state}, {times}; see {log}", self.what)?;
        for line in self.tail.lines() {
            write!(f, "\n    | {line}")?;
        }
        Ok(())
    }
}

impl LaunchError {
    /// Whether the system failed, not the input.
    pub fn is_io(&self) -> bool {
        match self {
            Self::Start { .. } | Self::Queue { .. } | Self::Answer { .. } => true,
            Self::Store(error) => error.is_io(),
            Self::NotInstalled { .. }
            | Self::Refused { .. }
            | Self::Path(_)
            | Self::OtherJob { .. }
            | Self::Active { .. }
            | Self::Lost { .. }
            | Self::NotMerged { .. } => false,
        }
    }
}
