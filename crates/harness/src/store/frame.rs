//! The columns of a classification experiment's `cells.parquet`.

use super::cell::{Cell, column};
use super::{CellRow, Measurement, Record, Status};
use polars::prelude::{Column, DataFrame, PolarsResult};

impl Record for CellRow {
    fn cell_id(&self) -> &str {
        &self.cell_id
    }

    fn status(&self) -> Status {
        self.status
    }

    fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    fn place(&self) -> String {
        format!("{} on {}", self.method, self.dataset)
    }

    fn columns(rows: &[Self]) -> Vec<Column> {
        let mut columns = vec![
            column(rows, "cell_id", |row| Some(row.cell_id.as_str())),
            column(rows, "dataset", |row| Some(row.dataset.as_str())),
            column(rows, "method", |row| Some(row.method.as_str())),
            column(rows, "level", |row| row.level),
            column(rows, "train_level", |row| row.train_level),
            column(rows, "repeat", |row| row.repeat),
            column(rows, "status", |row| Some(row.status.name())),
            column(rows, "reason", |row| row.reason.as_deref()),
            column(rows, "seed", |row| row.seed),
        ];
        columns.extend([
            count(rows, "n_train", |m| Some(m.n_train)),
            count(rows, "n_validation", |m| Some(m.n_validation)),
            count(rows, "n_test", |m| Some(m.n_test)),
            count(rows, "n_features", |m| Some(m.n_features)),
            count(rows, "feature_dim", |m| m.feature_dim),
            number(rows, "lambda", |m| Some(m.lambda)),
            number(rows, "sigma", |m| m.sigma),
            column(rows, "bound", |row| {
                row.measurement.as_ref()?.bound.as_deref()
            }),
            column(rows, "solver", |row| {
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
            number(rows, "exact_attack_error", |m| m.exact_attack_error),
            number(rows, "exact_certified_error", |m| m.exact_certified_error),
            number(rows, "paper_certified_error", |m| m.paper_certified_error),
        ]);
        columns
    }

    fn from_frame(frame: &DataFrame, i: usize) -> PolarsResult<Self> {
        let cell = Cell { frame, i };
        let status = cell.status()?;
        Ok(Self {
            cell_id: cell.text("cell_id")?,
            dataset: cell.text("dataset")?,
            method: cell.text("method")?,
            level: cell.number("level")?,
            train_level: cell.number("train_level")?,
            repeat: cell.count("repeat")?,
            status,
            reason: cell.maybe_text("reason")?,
            seed: cell.seed()?,
            measurement: match status {
                Status::Ok => Some(measurement(&cell)?),
                _ => None,
            },
        })
    }
}

fn count(rows: &[CellRow], name: &str, get: fn(&Measurement) -> Option<u32>) -> Column {
    column(rows, name, |row| row.measurement.as_ref().and_then(get))
}

fn number(rows: &[CellRow], name: &str, get: fn(&Measurement) -> Option<f64>) -> Column {
    column(rows, name, |row| row.measurement.as_ref().and_then(get))
}

fn measurement(cell: &Cell<'_>) -> PolarsResult<Measurement> {
    Ok(Measurement {
        n_train: cell.count("n_train")?,
        n_validation: cell.count("n_validation")?,
        n_test: cell.count("n_test")?,
        n_features: cell.count("n_features")?,
        feature_dim: cell.maybe_count("feature_dim")?,
        lambda: cell.number("lambda")?,
        sigma: cell.maybe_number("sigma")?,
        bound: cell.maybe_text("bound")?,
        solver: cell.text("solver")?,
        iterations: cell.maybe_count("iterations")?,
        objective: cell.number("objective")?,
        dual_objective: cell.number("dual_objective")?,
        relative_gap: cell.number("relative_gap")?,
        gamma_mean: cell.number("gamma_mean")?,
        accuracy: cell.number("accuracy")?,
        noisy_accuracy: cell.number("noisy_accuracy")?,
        attack_error: cell.number("attack_error")?,
        certified_error: cell.number("certified_error")?,
        nominal_lambda: cell.maybe_number("nominal_lambda")?,
        nominal_gap: cell.maybe_number("nominal_gap")?,
        exact_attack_error: cell.later_number("exact_attack_error")?,
        exact_certified_error: cell.later_number("exact_certified_error")?,
        paper_certified_error: cell.later_number("paper_certified_error")?,
    })
}
