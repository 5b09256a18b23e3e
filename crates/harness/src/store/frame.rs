//! `cells.parquet`: rows to columns and back.

use super::timing::{read_frame, write_frame};
use super::{CellRow, Measurement, Status, StoreError};
use polars::prelude::*;
use std::path::Path;

/// Writes `rows` to `path`, in the order given.
///
/// # Errors
/// [`StoreError`] if the file cannot be written.
pub fn write_cells(path: &Path, rows: &[CellRow]) -> Result<(), StoreError> {
    write_frame(path, columns(rows), rows.len())
}

/// Reads what [`write_cells`] wrote; columns that later versions append are passed over.
///
/// # Errors
/// [`StoreError`] if the file cannot be read or is not such a file.
pub fn read_cells(path: &Path) -> Result<Vec<CellRow>, StoreError> {
    let frame = read_frame(path)?;
    (0..frame.height())
        .map(|i| row(&frame, i))
        .collect::<PolarsResult<_>>()
        .map_err(StoreError::damaged(path))
}

fn columns(rows: &[CellRow]) -> Vec<Column> {
    let mut columns = vec![
        text(rows, "cell_id", |row| Some(&row.cell_id)),
        text(rows, "dataset", |row| Some(&row.dataset)),
        text(rows, "method", |row| Some(&row.method)),
        Column::new("level".into(), collect(rows, |row| row.level)),
        Column::new("train_level".into(), collect(rows, |row| row.train_level)),
        Column::new("repeat".into(), collect(rows, |row| row.repeat)),
        text(rows, "status", |row| Some(row.status.name())),
        text(rows, "reason", |row| row.reason.as_deref()),
        Column::new("seed".into(), collect(rows, |row| row.seed)),
    ];
    columns.extend([
        count(rows, "n_train", |m| Some(m.n_train)),
        count(rows, "n_validation", |m| Some(m.n_validation)),
        count(rows, "n_test", |m| Some(m.n_test)),
        count(rows, "n_features", |m| Some(m.n_features)),
        count(rows, "feature_dim", |m| m.feature_dim),
        number(rows, "lambda", |m| Some(m.lambda)),
        number(rows, "sigma", |m| m.sigma),
        text(rows, "bound", |row| {
            row.measurement.as_ref()?.bound.as_deref()
        }),
        text(rows, "solver", |row| {
            Some(row.measurement.as_ref()?.solver.as_str())
        }),
        count(rows, "iterations", |m| m.iterations),
        number(rows, "objective", |m| Some(m.objective)),
        number(rows, "dual_objective", |m| Some(m.dual_objective)),
        number(rows, "relative_gap", |m| Some(m.relative_gap)),
        number(rows, "gamma_mean", |m| Some(m.gamma_mean)),
        number(rows, "accuracy", |m| Some(m.accuracy)),
        number(rows, "noisy_accuracy", |m| Some(m.noisy_accuracy)),
        number(rows, "attack_error", |m| Some(m.attack_error)),
        number(rows, "certified_error", |m| Some(m.certified_error)),
        number(rows, "nominal_lambda", |m| m.nominal_lambda),
        number(rows, "nominal_gap", |m| m.nominal_gap),
    ]);
    columns
}

fn collect<T>(rows: &[CellRow], get: impl Fn(&CellRow) -> T) -> Vec<T> {
    rows.iter().map(get).collect()
}

fn text<'a>(
    rows: &'a [CellRow],
    name: &str,
    get: impl Fn(&'a CellRow) -> Option<&'a str>,
) -> Column {
    Column::new(name.into(), rows.iter().map(get).collect::<Vec<_>>())
}

fn count(rows: &[CellRow], name: &str, get: fn(&Measurement) -> Option<u32>) -> Column {
    let values = collect(rows, |row| row.measurement.as_ref().and_then(get));
    Column::new(name.into(), values)
}

fn number(rows: &[CellRow], name: &str, get: fn(&Measurement) -> Option<f64>) -> Column {
    let values = collect(rows, |row| row.measurement.as_ref().and_then(get));
    Column::new(name.into(), values)
}

fn row(frame: &DataFrame, i: usize) -> PolarsResult<CellRow> {
    let cell = Cell { frame, i };
    let word = cell.text("status")?;
    let status = Status::from_name(&word)
        .ok_or_else(|| PolarsError::InvalidOperation(format!("unknown status `{word}`").into()))?;
    let measurement = match status {
        Status::Ok => Some(cell.measurement()?),
        _ => None,
    };
    Ok(CellRow {
        cell_id: cell.text("cell_id")?,
        dataset: cell.text("dataset")?,
        method: cell.text("method")?,
        level: cell.number("level")?,
        train_level: cell.number("train_level")?,
        repeat: cell.count("repeat")?,
        status,
        reason: cell.maybe_text("reason")?,
        seed: present("seed", frame.column("seed")?.u64()?.get(i))?,
        measurement,
    })
}

/// One row of a frame.
struct Cell<'a> {
    frame: &'a DataFrame,
    i: usize,
}

impl Cell<'_> {
    fn maybe_text(&self, name: &str) -> PolarsResult<Option<String>> {
        Ok(self
            .frame
            .column(name)?
            .str()?
            .get(self.i)
            .map(str::to_owned))
    }

    fn text(&self, name: &str) -> PolarsResult<String> {
        present(name, self.maybe_text(name)?)
    }

    fn maybe_number(&self, name: &str) -> PolarsResult<Option<f64>> {
        Ok(self.frame.column(name)?.f64()?.get(self.i))
    }

    fn number(&self, name: &str) -> PolarsResult<f64> {
        present(name, self.maybe_number(name)?)
    }

    fn maybe_count(&self, name: &str) -> PolarsResult<Option<u32>> {
        Ok(self.frame.column(name)?.u32()?.get(self.i))
    }

    fn count(&self, name: &str) -> PolarsResult<u32> {
        present(name, self.maybe_count(name)?)
    }

    fn measurement(&self) -> PolarsResult<Measurement> {
        Ok(Measurement {
            n_train: self.count("n_train")?,
            n_validation: self.count("n_validation")?,
            n_test: self.count("n_test")?,
            n_features: self.count("n_features")?,
            feature_dim: self.maybe_count("feature_dim")?,
            lambda: self.number("lambda")?,
            sigma: self.maybe_number("sigma")?,
            bound: self.maybe_text("bound")?,
            solver: self.text("solver")?,
            iterations: self.maybe_count("iterations")?,
            objective: self.number("objective")?,
            dual_objective: self.number("dual_objective")?,
            relative_gap: self.number("relative_gap")?,
            gamma_mean: self.number("gamma_mean")?,
            accuracy: self.number("accuracy")?,
            noisy_accuracy: self.number("noisy_accuracy")?,
            attack_error: self.number("attack_error")?,
            certified_error: self.number("certified_error")?,
            nominal_lambda: self.maybe_number("nominal_lambda")?,
            nominal_gap: self.maybe_number("nominal_gap")?,
        })
    }
}

fn present<T>(name: &str, value: Option<T>) -> PolarsResult<T> {
    value.ok_or_else(|| PolarsError::NoData(format!("column `{name}` has no value").into()))
}
