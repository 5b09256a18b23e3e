//! Whether results are those of a committed baseline.

mod compare;
mod report;

pub(crate) use compare::OBJECTIVE_TOLERANCE;
pub use compare::{COMPARED_FILES, Comparison, GateError, Moved, Verdict, compare};
