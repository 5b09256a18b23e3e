//! The files of figures.

use super::error::PlotError;
use super::picture::Plot;
use crate::store::write_atomically;
use std::path::{Path, PathBuf};

/// Writes each figure as `.svg`, `.png` and `.pdf` into `plots/` of a run's folder `dir`, and says which files these are. Each
/// appears whole or not at all; the same figure gives the same bytes.
///
/// # Errors
/// [`PlotError`] for what the drawing library or the file system says.
pub fn write_plots(dir: &Path, plots: &[Plot]) -> Result<Vec<PathBuf>, PlotError> {
    let mut files = Vec::new();
    for plot in plots {
        files.extend(write_into(&dir.join("plots"), plot)?);
    }
    Ok(files)
}

/// The same of one figure, into `folder` itself.
///
/// # Errors
/// [`PlotError`] for what the drawing library or the file system says.
pub(crate) fn write_into(folder: &Path, plot: &Plot) -> Result<Vec<PathBuf>, PlotError> {
    let mut files = Vec::new();
    let forms = [
        ("svg", plot.svg()?.into_bytes()),
        ("png", plot.png()?),
        ("pdf", plot.pdf()?),
    ];
    for (ending, bytes) in forms {
        let path = folder.join(format!("{}.{ending}", plot.name()));
        write_atomically(&path, &bytes).map_err(|source| PlotError::Write {
            path: path.clone(),
            source,
        })?;
        files.push(path);
    }
    Ok(files)
}
