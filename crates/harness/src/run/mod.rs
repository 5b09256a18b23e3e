//! From the plan to rows: one group at a time, everything inside a group in sequence.

pub(crate) mod blocks;
mod classification;
mod evaluate;
mod exact;
mod experiment;
pub(crate) mod failure;
pub(crate) mod fit;
mod group;
mod paper;
pub(crate) mod penalty;
pub(crate) mod prepare;
mod progress;
mod schedule;
pub(crate) mod select;
mod sets;
mod sink;
mod solve;
pub(crate) mod stopwatch;

pub use experiment::Experiment;
pub use progress::Show;
pub use schedule::{RunError, RunOptions, RunSummary, run_experiment};
pub use sink::{CellSink, Collect};
