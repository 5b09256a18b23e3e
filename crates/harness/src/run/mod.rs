//! From the plan to rows: one group at a time, everything inside a group in sequence.

pub(crate) mod blocks;
mod classification;
mod evaluate;
mod exact;
mod experiment;
pub(crate) mod failure;
pub(crate) mod fit;
mod group;
mod isolate;
mod memory;
mod normal_inputs;
mod paper;
pub(crate) mod penalty;
pub(crate) mod prepare;
mod processor;
mod progress;
mod recompute;
mod schedule;
pub(crate) mod select;
mod sets;
mod sink;
mod solve;
mod stop;
pub(crate) mod stopwatch;
mod threads;
mod todo;
mod told;
mod writer;

pub use experiment::Experiment;
pub use failure::Failure;
pub use isolate::{
    Attached, Bytes, Isolation, IsolationError, Limits, WorkerCommand, attach, try_worker,
};
pub use processor::process_seconds;
pub use progress::Show;
pub use recompute::recompute;
pub use schedule::{RunError, RunOptions, RunSummary, run_experiment};
pub use sink::{CellSink, Collect};
pub use stop::{Stop, Stopped};
pub use todo::{GroupCells, Todo, asked, works};
pub use told::run_group_told;
