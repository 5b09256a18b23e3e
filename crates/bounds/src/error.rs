//! The errors of this crate.

use robust_svm_core::CoreError;

/// Why there is no bound, certificate or attack.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BoundError {
    /// The bound does not hold, or does not exist, for this feature map or uncertainty set.
    #[error("bound \"{bound}\" cannot be used here: {reason}")]
    NotValid {
        /// The bound's name as users write it.
        bound: &'static str,
        /// What rules it out, and what to use instead.
        reason: String,
    },
    /// The arrays or parameters are wrong in themselves.
    #[error(transparent)]
    Core(#[from] CoreError),
}
