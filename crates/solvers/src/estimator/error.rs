//! Why there is no fitted model.

use crate::SolverError;
use robust_svm_bounds::BoundError;
use robust_svm_core::CoreError;

/// Why [`RobustSvm`](crate::RobustSvm) could not be fitted or asked.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// A parameter, or the data, are wrong in themselves.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// No such bound for these features, or it does not hold for the sets.
    #[error(transparent)]
    Bound(#[from] BoundError),
    /// The problem cannot be solved as given.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// An error of linfa's.
    #[error(transparent)]
    Linfa(#[from] linfa::Error),
}
