//! The files of `plots/`.

use super::error::PlotError;
use super::picture::Plot;
use crate::store::write_atomically;
use std::path::{Path, PathBuf};

/// Writes each figure as `.svg` and `.png` into `plots/` of a run's folder `dir`, and says which files these are. Each appears
/// whole or not at all; the same figure gives the same bytes.
///
/// # Errors
/// [`PlotError`] for what the drawing library or the file system says.
pub fn write_plots(dir: &Path, plots: &[Plot]) -> Result<Vec<PathBuf>, PlotError> {
    let folder = dir.join("plots");
    let mut files = Vec::new();
    for plot in plots {
        let forms = [("svg", plot.svg()?.into_bytes()), ("png", plot.png()?)];
        for (ending, bytes) in forms {
            let path = folder.join(format!("{}.{ending}", plot.name()));
            write_atomically(&path, &bytes).map_err(|source| PlotError::Write {
                path: path.clone(),
                source,
            })?;
            files.push(path);
        }
    }
    Ok(files)
}
