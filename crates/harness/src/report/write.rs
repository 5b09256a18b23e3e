//! The file `report.html`.

use super::{ReportError, Source, page};
use crate::store::{Manifest, StoreError, TimingRow, read_timings, write_atomically};
use crate::views::{Viewed, Views};
use std::path::{Path, PathBuf};

/// The report's name in a results folder.
const REPORT: &str = "report.html";

/// Writes the report on `rows` of `experiment` and their `views` into the results folder `dir`, which has their manifest,
/// and says where it is.
///
/// # Errors
/// [`ReportError`] for a figure that cannot be drawn, or a file that cannot be read or written.
pub fn write_report<E: Viewed>(
    experiment: &E,
    dir: &Path,
    rows: &[E::Row],
    views: &Views,
) -> Result<PathBuf, ReportError> {
    let timings = dir.join("timings.parquet");
    let seconds = |rows: Vec<TimingRow>| rows.iter().map(|row| row.seconds.solve).sum();
    let source = Source {
        rows,
        views,
        manifest: &Manifest::read(&dir.join("manifest.toml"))?,
        solver_seconds: match timings.exists() {
            true => Some(seconds(read_timings(&timings)?)),
            false => None,
        },
    };
    let text = page(experiment, &source)?;
    let path = dir.join(REPORT);
    write_atomically(&path, text.as_bytes()).map_err(StoreError::io("write", &path))?;
    Ok(path)
}
