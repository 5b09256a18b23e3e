//! Whether results are those of a committed baseline.

mod compare;
mod report;

pub use compare::{COMPARED_FILES, Comparison, GateError, Moved, Verdict, compare};
