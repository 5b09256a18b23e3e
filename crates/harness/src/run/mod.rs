//! From the plan to rows: one group at a time, everything inside a group in sequence.

mod blocks;
mod classification;
mod evaluate;
mod exact;
mod experiment;
pub(crate) mod failure;
mod fit;
mod group;
mod paper;
mod penalty;
pub(crate) mod prepare;
mod progress;
mod schedule;
mod select;
mod sets;
mod solve;
pub(crate) mod stopwatch;

pub use experiment::Experiment;
pub use progress::Show;
pub use schedule::{RunError, RunOptions, RunSummary, run_experiment};
