//! What is stored of a cell.

use super::StageSeconds;
use robust_svm_solvers::TracePoint;

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
