//! An experiment on a cluster: its shards as the tasks of a Slurm array job, and a job that joins them. Slurm decides where
//! and when; what is here writes the scripts, hands them in, looks how far they are, and hands in again what was lost.

mod attend;
mod error;
mod follow;
mod job;
mod progress;
mod queue;
mod record;
mod resources;
mod script;
mod shards;
mod size;
mod slurm;
mod tasks;

pub use error::LaunchError;
pub use follow::{Follow, Followed, follow};
pub use job::{Job, job_name};
pub use record::JobRecord;
pub use resources::Resources;
pub use script::{array_script, merge_script, submissions};
pub use size::{Size, tasks_of};
pub use slurm::active_jobs;
