//! `timings.parquet`: how long cells took. Outside the promise of equal bytes.

use super::StoreError;
use super::file::write_atomically;
use polars::prelude::*;
use std::io::Cursor;
use std::path::Path;

/// Seconds spent on one cell. Work that several cells share is charged to the first that needed it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
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
}

/// How long one cell took, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct TimingRow {
    /// The cell.
    pub cell_id: String,
    /// Seconds per stage.
    pub seconds: StageSeconds,
    /// The process's peak memory when the cell's group ended, in bytes; `None` where the system does
    /// not say.
    pub peak_bytes: Option<u64>,
    /// Index of the worker thread.
    pub worker: u32,
}

/// Writes `rows` to `path`.
///
/// # Errors
/// [`StoreError`] if the file cannot be written.
pub(super) fn write_timings(path: &Path, rows: &[TimingRow]) -> Result<(), StoreError> {
    let stage = |name: &str, get: fn(&StageSeconds) -> f64| {
        let values: Vec<f64> = rows.iter().map(|row| get(&row.seconds)).collect();
        Column::new(name.into(), values)
    };
    let ids: Vec<&str> = rows.iter().map(|row| row.cell_id.as_str()).collect();
    let peaks: Vec<Option<u64>> = rows.iter().map(|row| row.peak_bytes).collect();
    let workers: Vec<u32> = rows.iter().map(|row| row.worker).collect();
    let columns = vec![
        Column::new("cell_id".into(), ids),
        stage("prepare_seconds", |s| s.prepare),
        stage("features_seconds", |s| s.features),
        stage("solve_seconds", |s| s.solve),
        stage("select_seconds", |s| s.select),
        stage("evaluate_seconds", |s| s.evaluate),
        stage("attack_seconds", |s| s.attack),
        Column::new("peak_bytes".into(), peaks),
        Column::new("worker".into(), workers),
    ];
    write_frame(path, columns, rows.len())
}

/// Reads what [`write_timings`] wrote.
///
/// # Errors
/// [`StoreError`] if the file cannot be read or is not such a file.
pub(crate) fn read_timings(path: &Path) -> Result<Vec<TimingRow>, StoreError> {
    let frame = read_frame(path)?;
    let bad = || StoreError::damaged::<PolarsError>(path);
    let stage = |name: &str| frame.column(name)?.f64();
    let read = || -> PolarsResult<Vec<TimingRow>> {
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
                },
                peak_bytes: peaks.get(i),
                worker: workers.get(i).unwrap_or(0),
            }
        });
        Ok(rows.collect())
    };
    read().map_err(bad())
}

/// Writes `columns` of `height` rows as Parquet.
pub(super) fn write_frame(
    path: &Path,
    columns: Vec<Column>,
    height: usize,
) -> Result<(), StoreError> {
    let mut bytes = Vec::new();
    DataFrame::new(height, columns)
        .and_then(|mut frame| ParquetWriter::new(&mut bytes).finish(&mut frame))
        .map_err(StoreError::damaged(path))?;
    write_atomically(path, &bytes).map_err(StoreError::io("write", path))
}

/// Reads a Parquet file.
pub(super) fn read_frame(path: &Path) -> Result<DataFrame, StoreError> {
    let bytes = std::fs::read(path).map_err(StoreError::io("read", path))?;
    ParquetReader::new(Cursor::new(bytes))
        .finish()
        .map_err(StoreError::damaged(path))
}
