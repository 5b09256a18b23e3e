//! Why a figure was not made.

use plotters::drawing::DrawingAreaErrorKind;
use std::path::PathBuf;

/// Why a figure was not made.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// There is nothing to draw.
    #[error(
        "nothing to plot: the axes name {datasets} datasets, {methods} methods and {levels} levels, and each needs one"
    )]
    EmptyAxes {
        /// Datasets on the axes.
        datasets: usize,
        /// Methods on the axes.
        methods: usize,
        /// Levels on the axes.
        levels: usize,
    },
    /// A level that no axis can show.
    #[error("cannot plot the level {0}: levels are finite numbers")]
    Level(f64),
    /// The drawing library refused.
    #[error("cannot draw a figure: {0}")]
    Draw(String),
    /// The picture could not be encoded.
    #[error("cannot encode a figure as PNG: {0}")]
    Encode(#[from] ::png::EncodingError),
    /// The SVG could not be made a PDF.
    #[error("cannot write a figure as PDF: {0}")]
    Pdf(String),
    /// The file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the file system says.
        source: std::io::Error,
    },
}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for PlotError {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        Self::Draw(error.to_string())
    }
}
