//! What is stored of a cell.

use super::StageSeconds;
use robust_svm_solvers::TracePoint;

/// A cell that has ended, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct CellDone<R> {
    /// The row and its times.
    pub result: CellResult<R>,
    /// Memory in bytes of the worker process when the group began; `None` where it is not known.
    pub start_bytes: Option<u64>,
    /// Peak memory in bytes of the process that ran it; `None` where it is not known.
    pub peak_bytes: Option<u64>,
    /// Index of the worker thread or process.
    pub worker: u32,
}

/// What a cell that has ended leaves.
#[derive(Debug, Clone, PartialEq)]
pub struct CellResult<R> {
    /// Its row.
    pub row: R,
    /// What it took.
    pub seconds: StageSeconds,
    /// What the solver of its model knew on the way; empty where there is none that tells.
    pub trace: Vec<TracePoint>,
}
