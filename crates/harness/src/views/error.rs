//! Why views were not made or written.

use crate::plot::PlotError;
use crate::store::StoreError;

/// Why views were not made or written.
#[derive(Debug, thiserror::Error)]
pub enum ViewsError {
    /// A figure cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A file cannot be read, written or removed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
