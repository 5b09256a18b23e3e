//! Why a report was not made.

use crate::plot::PlotError;
use crate::store::StoreError;

/// Why a report was not made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A figure cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A figure's SVG has something that the report does not know how to show.
    #[error("cannot put the figure `{name}` into the report: {message}")]
    Figure {
        /// The figure.
        name: String,
        /// What is unknown.
        message: String,
    },
    /// The template and what it is given do not fit.
    #[error("cannot fill in the report's template: {0}")]
    Template(#[from] minijinja::Error),
    /// The rows have no columns that the report can show.
    #[error("cannot put the cells into the report: {0}")]
    Cells(#[from] polars::error::PolarsError),
}
