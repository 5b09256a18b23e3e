//! Groups in worker processes: a cell that crashes, hangs or takes too much memory costs itself alone.
//!
//! A worker is this program once more. It makes the same plan from the same text, is handed groups over its standard
//! input, and tells of every cell that it begins and ends. What it says is checked, and it is killed at a limit.

mod command;
mod fault;
mod frame;
mod limits;
mod listen;
mod message;
mod pool;
mod process;
mod supervise;
mod wire;
mod worker;

pub use command::WorkerCommand;
pub use limits::{Bytes, Limits};
pub(super) use pool::run_isolated;
pub use pool::try_worker;
pub use supervise::IsolationError;
pub use worker::{Attached, attach};

/// How workers are started and held.
#[derive(Debug, Clone)]
pub struct Isolation {
    /// What starts a worker.
    pub command: WorkerCommand,
    /// What a cell may take.
    pub limits: Limits,
}
