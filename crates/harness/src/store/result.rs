//! What is stored of a cell.

use super::StageSeconds;

/// What a cell that has ended leaves.
#[derive(Debug, Clone, PartialEq)]
pub struct CellResult<R> {
    /// Its row.
    pub row: R,
    /// What it took.
    pub seconds: StageSeconds,
}
