//! Why a cell has no numbers, and how a panic becomes such a reason.

use crate::store::Status;
use robust_svm_bounds::BoundError;
use robust_svm_solvers::SolverError;
use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a candidate, and with it maybe a cell, has no numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// How it ended; not [`Status::Ok`].
    pub status: Status,
    /// Why, in the words of the column `reason`.
    pub reason: String,
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
        let message = panic_message(&*panic);
        Err(Failure::failed(format!("panic: {message}")))
    })
}

/// What a panic said.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
}
