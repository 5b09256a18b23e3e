//! Making results the baseline.

use super::GateError;
use super::folder::read_manifest;
use super::metric::METRICS;
use super::series::series;
use super::tolerance::cell_name;
use crate::stats::csv::record;
use crate::store::{CellCounts, CellRow, StoreError, read_cells, write_atomically};
use std::path::Path;

/// What a baseline has of the results: what is compared, and the experiment, to say what changed in it.
const COPIED_FILES: [&str; 3] = ["manifest.toml", "cells.parquet", "experiment.toml"];

/// The file of a baseline that is made to be read in a review.
const MEANS: &str = "means.csv";

/// Makes `results` the baseline in the folder `baseline`. All is read before any is written.
///
/// # Errors
/// [`GateError`] if the results are not finished or a part only, nothing was measured, cells failed, a number is not
/// finite, or the system says no.
pub fn update(results: &Path, baseline: &Path) -> Result<(), GateError> {
    let manifest = read_manifest(results, "run the experiment to its end first")?;
    let rows: Vec<CellRow> = read_cells(&results.join("cells.parquet"))?;
    require_numbers(results, &rows)?;
    if let Some(part) = manifest.part {
        return Err(GateError::Part {
            folder: results.to_owned(),
            cells: rows.len(),
            planned: part.planned,
        });
    }
    let read = |name: &&'static str| {
        let from = results.join(name);
        let bytes = std::fs::read(&from).map_err(StoreError::io("read", &from))?;
        Ok((baseline.join(name), bytes))
    };
    let mut files: Vec<_> = COPIED_FILES
        .iter()
        .map(read)
        .collect::<Result<_, StoreError>>()?;
    files.push((baseline.join(MEANS), means_csv(&rows).into_bytes()));
    for (to, bytes) in files {
        write_atomically(&to, &bytes).map_err(StoreError::io("write", &to))?;
    }
    Ok(())
}

/// A baseline that nothing can fail against guards nothing, and what fails in it is not guarded.
fn require_numbers(folder: &Path, rows: &[CellRow]) -> Result<(), GateError> {
    let folder = folder.to_owned();
    let counts = CellCounts::of(rows);
    let failed = rows.len() - counts.ok - counts.skipped;
    if counts.ok == 0 {
        Err(GateError::NothingMeasured { folder })
    } else if failed > 0 {
        let cells = rows.len();
        Err(GateError::FailedCells {
            folder,
            failed,
            cells,
        })
    } else if let Some(row) = rows.iter().find(|row| !is_finite(row)) {
        let cell = cell_name(row);
        Err(GateError::NotFinite { folder, cell })
    } else {
        Ok(())
    }
}

/// Whether all numbers that are compared are finite.
fn is_finite(row: &CellRow) -> bool {
    row.measurement.as_ref().is_none_or(|m| {
        let shares = METRICS.iter().filter_map(|metric| (metric.of)(m));
        shares.chain([m.objective]).all(f64::is_finite)
    })
}

/// The mean of each method and metric over the repeats, a line each: small and in a stable order, so that a change of the
/// baseline shows in a diff. Six decimals: what moves less is no change to a reader.
fn means_csv(rows: &[CellRow]) -> String {
    let header = ["method", "metric", "cells", "repeats", "mean"].map(String::from);
    let lines = series(rows, rows).into_iter().map(|series| {
        record(&[
            series.method.clone(),
            series.metric.name.to_owned(),
            series.cells.to_string(),
            series.baseline.len().to_string(),
            format!("{:.6}", series.baseline_mean()),
        ])
    });
    record(&header) + &lines.collect::<String>()
}
