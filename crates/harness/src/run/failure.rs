//! Why a cell has no numbers, and how a panic becomes such a reason.

use crate::store::Status;
use robust_svm_bounds::BoundError;
use robust_svm_solvers::SolverError;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a candidate, and with it maybe a cell, has no numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    pub(crate) reason: String,
}

impl Failure {
    pub(crate) fn failed(reason: impl Display) -> Self {
        Self {
            status: Status::Failed,
            reason: reason.to_string(),
        }
    }
}

impl From<SolverError> for Failure {
    fn from(error: SolverError) -> Self {
        Self::failed(error)
    }
}

impl From<BoundError> for Failure {
    fn from(error: BoundError) -> Self {
        Self::failed(error)
    }
}

/// Runs `work`; a panic becomes a failure with its message, so that it costs these cells only.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Err(Failure::failed(format!("panic: {message}")))
    })
}
