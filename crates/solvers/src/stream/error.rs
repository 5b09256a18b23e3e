//! What can go wrong while rows are read.

use crate::SolverError;

/// Why a stream, or training on it, ended early.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The source could not be read; its own error says where.
    #[error("reading a block of rows failed")]
    Source(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The reader of the blocks asked for no more.
    #[error("stopped before the end, as asked")]
    Stopped,
    /// The rows, the problem or the settings are not what a solver takes.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The blocks read are not those that the source announced.
    #[error(
        "{what}: the source announced {expected}, a pass gave {found}: every pass must give the same rows"
    )]
    Contract {
        /// What differs.
        what: &'static str,
        /// As announced.
        expected: usize,
        /// As read.
        found: usize,
    },
}

impl StreamError {
    /// What a source's own `error` becomes.
    pub fn source(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Source(error.into())
    }
}
