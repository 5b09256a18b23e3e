//! From the plan to rows: one group at a time, everything inside a group in sequence.

mod blocks;
mod evaluate;
mod experiment;
mod fit;
mod group;
mod prepare;
mod select;
mod stopwatch;

pub use experiment::{RunError, RunOptions, RunSummary, run_experiment};
pub use group::run_group;
