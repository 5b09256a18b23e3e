//! `timings.parquet`: how long cells took. Outside the promise of equal bytes.

use super::StoreError;
use super::joined::TIMINGS;
use super::table_reader::TableReader;
use polars::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Seconds spent on one cell. Work that several cells share is charged to the first that needed it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct StageSeconds {
    /// Splitting, scaling, neighbour distances.
    pub prepare: f64,
    /// Feature maps of the training rows.
    pub features: f64,
    /// Bounds and solver.
    pub solve: f64,
    /// Certificates of the validation rows, and the choice.
    pub select: f64,
    /// Accuracy, noise and certificates of the test rows.
    pub evaluate: f64,
    /// Attack on the test rows, and the search of those it leaves open.
    pub attack: f64,
    /// Time on a processor in all of them but `prepare`; 0 where the system does not say.
    pub processor: f64,
}

impl StageSeconds {
    /// Feature maps, bounds, solver, certificates and attack: all but `prepare`.
    pub fn kernels(&self) -> f64 {
        self.features + self.solve + self.select + self.evaluate + self.attack
    }
}

/// How long one cell took, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct TimingRow {
    /// The cell.
    pub cell_id: String,
    /// Seconds per stage.
    pub seconds: StageSeconds,
    /// Memory in bytes of the worker process when the group began, or the cell where cells are measured themselves; `None` of other processes, and where the system does not
    /// say.
    pub start_bytes: Option<u64>,
    /// Peak memory in bytes of the process that ran it when it ended: since the group began if it is a worker process
    /// (since the worker's start where that cannot be told), since its start otherwise; `None` where the system does not
    /// say, or the worker could not.
    pub peak_bytes: Option<u64>,
    /// Index of the worker thread or process.
    pub worker: u32,
}

/// Reads a `timings.parquet`; no rows where there is no such file.
///
/// # Errors
/// [`StoreError`] if the file cannot be read or is not such a file.
pub(super) fn read_timings(path: &Path) -> Result<Vec<TimingRow>, StoreError> {
    TableReader::open(path, timings_of)?.collect()
}

/// What the cells in the `timings.parquet` of the results folder `folder` took; nothing where there is no such file.
///
/// # Errors
/// [`StoreError`] if the file cannot be read or is not such a file.
pub(crate) fn timings_in(folder: &Path) -> Result<Vec<TimingRow>, StoreError> {
    read_timings(&folder.join(TIMINGS))
}

/// Seconds that solvers took, of all cells in the `timings.parquet` of the results folder `folder`.
///
/// # Errors
/// [`StoreError`] if the file cannot be read or is not such a file.
pub fn solver_seconds(folder: &Path) -> Result<f64, StoreError> {
    let timings = TableReader::open(&folder.join(TIMINGS), timings_of)?;
    timings.map(|row| Ok(row?.seconds.solve)).sum()
}

/// The columns of `rows`.
pub(super) fn timing_columns(rows: &[TimingRow]) -> Vec<Column> {
    let stage = |name: &str, get: fn(&StageSeconds) -> f64| {
        let values: Vec<f64> = rows.iter().map(|row| get(&row.seconds)).collect();
        Column::new(name.into(), values)
    };
    let ids: Vec<&str> = rows.iter().map(|row| row.cell_id.as_str()).collect();
    let starts: Vec<Option<u64>> = rows.iter().map(|row| row.start_bytes).collect();
    let peaks: Vec<Option<u64>> = rows.iter().map(|row| row.peak_bytes).collect();
    let workers: Vec<u32> = rows.iter().map(|row| row.worker).collect();
    vec![
        Column::new("cell_id".into(), ids),
        stage("prepare_seconds", |s| s.prepare),
        stage("features_seconds", |s| s.features),
        stage("solve_seconds", |s| s.solve),
        stage("select_seconds", |s| s.select),
        stage("evaluate_seconds", |s| s.evaluate),
        stage("attack_seconds", |s| s.attack),
        stage("processor_seconds", |s| s.processor),
        Column::new("start_bytes".into(), starts),
        Column::new("peak_bytes".into(), peaks),
        Column::new("worker".into(), workers),
    ]
}

/// The rows of what [`timing_columns`] made.
pub(super) fn timings_of(frame: &DataFrame) -> PolarsResult<Vec<TimingRow>> {
    let stage = |name: &str| frame.column(name)?.f64();
    let ids = frame.column("cell_id")?.str()?;
    let peaks = frame.column("peak_bytes")?.u64()?;
    let workers = frame.column("worker")?.u32()?;
    let stages = [
        stage("prepare_seconds")?,
        stage("features_seconds")?,
        stage("solve_seconds")?,
        stage("select_seconds")?,
        stage("evaluate_seconds")?,
        stage("attack_seconds")?,
    ];
    // Earlier versions did not tell it, nor memory at the start.
    let processor = match frame.get_column_index("processor_seconds") {
        Some(_) => Some(stage("processor_seconds")?),
        None => None,
    };
    let starts = match frame.get_column_index("start_bytes") {
        Some(_) => Some(frame.column("start_bytes")?.u64()?),
        None => None,
    };
    let rows = (0..frame.height()).map(|i| {
        let [prepare, features, solve, select, evaluate, attack] =
            stages.map(|stage| stage.get(i).unwrap_or(0.0));
        TimingRow {
            cell_id: ids.get(i).unwrap_or_default().to_owned(),
            seconds: StageSeconds {
                prepare,
                features,
                solve,
                select,
                evaluate,
                attack,
                processor: processor.and_then(|stage| stage.get(i)).unwrap_or(0.0),
            },
            start_bytes: starts.and_then(|starts| starts.get(i)),
            peak_bytes: peaks.get(i),
            worker: workers.get(i).unwrap_or(0),
        }
    });
    Ok(rows.collect())
}
