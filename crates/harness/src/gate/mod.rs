//! Whether results are those of a committed baseline.

mod compare;
mod report;

pub use compare::{Comparison, GateError, Moved, Verdict, compare};
