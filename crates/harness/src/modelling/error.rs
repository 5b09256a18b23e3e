//! Why a model cannot be used on a file.

use crate::data::DataError;
use crate::store::StoreError;
use robust_svm_bounds::BoundError;

/// Why a model cannot be used on a file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UseError {
    /// What is wrong with the file.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A certificate or attack failed.
    #[error(transparent)]
    Bound(#[from] BoundError),
    /// What is made of it cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
