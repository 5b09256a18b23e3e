//! One row of a `safe-ellipsoid` experiment's `cells.parquet`.

use crate::store::cell::{Cell, column};
use crate::store::{Record, Status};
use polars::prelude::{Column, DataFrame, PolarsResult};

/// A cell: one method on one dataset at one level in one repeat.
#[derive(Debug, Clone, PartialEq)]
pub struct SafeRow {
    /// Hash of the cell's axes, 16 hexadecimal digits.
    pub cell_id: String,
    /// The dataset.
    pub dataset: String,
    /// The method: `safe`, `robust` or `nominal`.
    pub method: String,
    /// The noise's standard deviation in the features that it sits on.
    pub level: f64,
    /// The repeat, from 0.
    pub repeat: u32,
    /// How the cell ended.
    pub status: Status,
    /// Why it did not end well.
    pub reason: Option<String>,
    /// The repeat's seed.
    pub seed: u64,
    /// The split; 0 everywhere where it could not be made.
    pub sizes: Sizes,
    /// The numbers; present iff the status is ok.
    pub measurement: Option<Measurement>,
}

/// Sizes of a split.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Training rows.
    pub train: u32,
    /// Validation rows.
    pub validation: u32,
    /// Test rows.
    pub test: u32,
    /// Features.
    pub features: u32,
    /// Of them, those that the noise sits on.
    pub noisy_features: u32,
}

/// The numbers of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The λ chosen.
    pub lambda: f64,
    /// The training objective.
    pub objective: f64,
    /// Its certified relative gap.
    pub relative_gap: f64,
    /// The mean loss of the validation rows.
    pub validation_loss: f64,
    /// The ellipsoid; none of the nominal method.
    pub learnt: Option<Learnt>,
    /// How the safe method's descent ended; none of the others.
    pub descent: Option<Descent>,
    /// Errors on the test rows.
    pub errors: TestErrors,
}

/// An ellipsoid `{diag(s) u : ‖u‖₂ ≤ 1}`; s is γ in every feature for the robust method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Learnt {
    /// The mean of ln s_t over the features.
    pub log_volume: f64,
    /// The mean of s_t over the features that the noise sits on.
    pub s_noisy: Option<f64>,
    /// The mean over the others; none where the noise sits on all.
    pub s_clean: Option<f64>,
}

/// The end of a descent.
#[derive(Debug, Clone, PartialEq)]
pub struct Descent {
    /// `stationary`, `stalled`, `constant` or `solve-limit`.
    pub status: String,
    /// The length of the projected combination of gradients there.
    pub combined_gradient: f64,
    /// The mean validation loss of the sphere it started from.
    pub start_loss: f64,
    /// Lower problems solved.
    pub lower_solves: u32,
}

/// Shares of test rows that are wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestErrors {
    /// Without noise.
    pub clean: f64,
    /// Over noisy copies.
    pub noisy: f64,
    /// At the worst input of the noise's ellipsoid at the level: exact.
    pub robust: f64,
}

impl Record for SafeRow {
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
        let Self {
            method,
            dataset,
            level,
            repeat,
            ..
        } = self;
        format!("{method} on {dataset} at level {level}, repeat {repeat}")
    }

    fn columns(rows: &[Self]) -> Vec<Column> {
        let maybe = |name: &str, get: fn(&Measurement) -> Option<f64>| {
            column(rows, name, move |row| {
                row.measurement.as_ref().and_then(get)
            })
        };
        let number = |name: &str, get: fn(&Measurement) -> f64| {
            column(rows, name, move |row| row.measurement.as_ref().map(get))
        };
        let descent = |row: &'_ Self| -> Option<Descent> {
            row.measurement.as_ref().and_then(|m| m.descent.clone())
        };
        vec![
            column(rows, "cell_id", |row| Some(row.cell_id.as_str())),
            column(rows, "dataset", |row| Some(row.dataset.as_str())),
            column(rows, "method", |row| Some(row.method.as_str())),
            column(rows, "level", |row| row.level),
            column(rows, "repeat", |row| row.repeat),
            column(rows, "status", |row| Some(row.status.name())),
            column(rows, "reason", |row| row.reason.as_deref()),
            column(rows, "seed", |row| row.seed),
            column(rows, "n_train", |row| row.sizes.train),
            column(rows, "n_validation", |row| row.sizes.validation),
            column(rows, "n_test", |row| row.sizes.test),
            column(rows, "n_features", |row| row.sizes.features),
            column(rows, "noisy_features", |row| row.sizes.noisy_features),
            number("lambda", |m| m.lambda),
            number("objective", |m| m.objective),
            number("relative_gap", |m| m.relative_gap),
            number("validation_loss", |m| m.validation_loss),
            maybe("log_volume", |m| m.learnt.map(|l| l.log_volume)),
            maybe("s_noisy", |m| m.learnt.and_then(|l| l.s_noisy)),
            maybe("s_clean", |m| m.learnt.and_then(|l| l.s_clean)),
            column(rows, "descent", |row| descent(row).map(|d| d.status)),
            maybe("combined_gradient", |m| {
                m.descent.as_ref().map(|d| d.combined_gradient)
            }),
            maybe("start_loss", |m| m.descent.as_ref().map(|d| d.start_loss)),
            column(rows, "lower_solves", |row| {
                descent(row).map(|d| d.lower_solves)
            }),
            number("clean_error", |m| m.errors.clean),
            number("noisy_error", |m| m.errors.noisy),
            number("robust_error", |m| m.errors.robust),
        ]
    }

    fn from_frame(frame: &DataFrame, i: usize) -> PolarsResult<Self> {
        let cell = Cell { frame, i };
        let status = cell.status()?;
        Ok(Self {
            cell_id: cell.text("cell_id")?,
            dataset: cell.text("dataset")?,
            method: cell.text("method")?,
            level: cell.number("level")?,
            repeat: cell.count("repeat")?,
            status,
            reason: cell.maybe_text("reason")?,
            seed: cell.seed()?,
            sizes: Sizes {
                train: cell.count("n_train")?,
                validation: cell.count("n_validation")?,
                test: cell.count("n_test")?,
                features: cell.count("n_features")?,
                noisy_features: cell.count("noisy_features")?,
            },
            measurement: match status {
                Status::Ok => Some(measurement(&cell)?),
                _ => None,
            },
        })
    }
}

fn measurement(cell: &Cell<'_>) -> PolarsResult<Measurement> {
    let learnt = match cell.maybe_number("log_volume")? {
        Some(log_volume) => Some(Learnt {
            log_volume,
            s_noisy: cell.maybe_number("s_noisy")?,
            s_clean: cell.maybe_number("s_clean")?,
        }),
        None => None,
    };
    let descent = match cell.maybe_text("descent")? {
        Some(status) => Some(Descent {
            status,
            combined_gradient: cell.number("combined_gradient")?,
            start_loss: cell.number("start_loss")?,
            lower_solves: cell.count("lower_solves")?,
        }),
        None => None,
    };
    Ok(Measurement {
        lambda: cell.number("lambda")?,
        objective: cell.number("objective")?,
        relative_gap: cell.number("relative_gap")?,
        validation_loss: cell.number("validation_loss")?,
        learnt,
        descent,
        errors: TestErrors {
            clean: cell.number("clean_error")?,
            noisy: cell.number("noisy_error")?,
            robust: cell.number("robust_error")?,
        },
    })
}
