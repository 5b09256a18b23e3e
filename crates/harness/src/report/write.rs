//! The file `report.html`.

use super::{ReportError, Source, page};
use crate::store::{Cells, Manifest, StoreError, write_atomically};
use crate::views::{Viewed, Views};
use std::path::{Path, PathBuf};

/// The report's name in a results folder.
const REPORT: &str = "report.html";

/// Writes the report on the `cells` in the results folder `dir` of `experiment`, for which solvers took `solver_seconds`, and
/// on the `views` of these cells, into that folder, and says where it is.
///
/// # Errors
/// [`ReportError`] for a figure that cannot be drawn, or a file that cannot be read or written.
pub fn write_report<E: Viewed>(
    experiment: &E,
    dir: &Path,
    cells: &Cells<E::Row>,
    solver_seconds: f64,
    views: &Views,
) -> Result<PathBuf, ReportError> {
    let source = Source {
        rows: &cells.rows()?,
        views,
        manifest: &Manifest::read(&dir.join("manifest.toml"))?,
        solver_seconds,
    };
    let text = page(experiment, &source)?;
    let path = dir.join(REPORT);
    write_atomically(&path, text.as_bytes()).map_err(StoreError::io("write", &path))?;
    Ok(path)
}
