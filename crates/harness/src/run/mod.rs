//! From the plan to rows: one group at a time, everything inside a group in sequence.

mod blocks;
mod classification;
mod evaluate;
mod experiment;
pub(crate) mod failure;
mod fit;
mod group;
pub(crate) mod prepare;
mod progress;
mod schedule;
mod select;
pub(crate) mod stopwatch;

pub use experiment::Experiment;
pub use progress::Show;
pub use schedule::{RunError, RunOptions, RunSummary, run_experiment};
