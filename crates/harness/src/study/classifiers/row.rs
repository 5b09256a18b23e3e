//! One row of a `classifiers` experiment's `cells.parquet`.

use super::confusion::Confusion;
use super::method::Chosen;
use crate::store::cell::{Cell, column};
use crate::store::{Record, Status};
use polars::prelude::{Column, DataFrame, PolarsError, PolarsResult};

/// A cell: one method on one dataset under one kind of noise at one level in one repeat.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassifierRow {
    /// Hash of the cell's axes, 16 hexadecimal digits.
    pub cell_id: String,
    /// The dataset.
    pub dataset: String,
    /// The method.
    pub method: String,
    /// What was done to test rows.
    pub noise: String,
    /// γ; 0 without noise.
    pub level: f64,
    /// The repeat, from 0; of folds round after round.
    pub repeat: u32,
    /// How the cell ended.
    pub status: Status,
    /// Why it did not end well; of ok cells, which candidates had no solution.
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
    /// Classes.
    pub classes: u32,
}

/// The numbers of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The hyper-parameters chosen.
    pub chosen: Chosen,
    /// Share of validation rows, without noise, that are right.
    pub validation_accuracy: f64,
    /// Share of test rows, or of their noisy copies, that are right; under `worst-case` of rows that no perturbation found breaks:
    /// an upper bound of the robust accuracy.
    pub accuracy: f64,
    /// Counts of true and predicted classes.
    pub confusion: Confusion,
    /// What is known of the capacity of the class of functions, where the method has a kernel and a norm.
    pub bounds: Option<RiskBounds>,
}

/// Bounds from the norm of a decision function in its kernel's Hilbert space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RiskBounds {
    /// Rademacher complexity of the ball of that norm [Laakom et al., Theorem 5].
    pub rademacher: f64,
    /// The same, points and uncertainty apart [ibid., Theorem 6]; of linear kernels.
    pub rademacher_split: Option<f64>,
    /// Estimation and deviation terms of the excess risk with probability 0.95, of classifiers trained on hinge losses; the
    /// approximation error is not known.
    pub excess_risk: Option<f64>,
}

impl Record for ClassifierRow {
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
            noise,
            level,
            repeat,
            ..
        } = self;
        format!("{method} on {dataset}, noise {noise} at level {level}, repeat {repeat}")
    }

    fn columns(rows: &[Self]) -> Vec<Column> {
        let maybe = |name: &str, get: fn(&Measurement) -> Option<f64>| {
            column(rows, name, move |row| {
                row.measurement.as_ref().and_then(get)
            })
        };
        let count = |name: &str, get: fn(&Measurement) -> Option<u32>| {
            column(rows, name, move |row| {
                row.measurement.as_ref().and_then(get)
            })
        };
        let confusion = |row: &Self| row.measurement.as_ref().map(|m| m.confusion.to_string());
        let kernel = |row: &Self| {
            row.measurement
                .as_ref()
                .and_then(|m| m.chosen.kernel.clone())
        };
        vec![
            column(rows, "cell_id", |row| Some(row.cell_id.as_str())),
            column(rows, "dataset", |row| Some(row.dataset.as_str())),
            column(rows, "method", |row| Some(row.method.as_str())),
            column(rows, "noise", |row| Some(row.noise.as_str())),
            column(rows, "level", |row| row.level),
            column(rows, "repeat", |row| row.repeat),
            column(rows, "status", |row| Some(row.status.name())),
            column(rows, "reason", |row| row.reason.as_deref()),
            column(rows, "seed", |row| row.seed),
            column(rows, "n_train", |row| row.sizes.train),
            column(rows, "n_validation", |row| row.sizes.validation),
            column(rows, "n_test", |row| row.sizes.test),
            column(rows, "n_features", |row| row.sizes.features),
            column(rows, "classes", |row| row.sizes.classes),
            column(rows, "kernel", kernel),
            maybe("sigma", |m| m.chosen.sigma),
            count("dims", |m| m.chosen.dims),
            maybe("lambda", |m| m.chosen.lambda),
            maybe("width", |m| m.chosen.width),
            count("depth", |m| m.chosen.depth),
            maybe("validation_accuracy", |m| Some(m.validation_accuracy)),
            maybe("accuracy", |m| Some(m.accuracy)),
            column(rows, "confusion", confusion),
            maybe("rademacher", |m| m.bounds.map(|b| b.rademacher)),
            maybe("rademacher_split", |m| {
                m.bounds.and_then(|b| b.rademacher_split)
            }),
            maybe("excess_risk", |m| m.bounds.and_then(|b| b.excess_risk)),
        ]
    }

    fn from_frame(frame: &DataFrame, i: usize) -> PolarsResult<Self> {
        let cell = Cell { frame, i };
        let status = cell.status()?;
        Ok(Self {
            cell_id: cell.text("cell_id")?,
            dataset: cell.text("dataset")?,
            method: cell.text("method")?,
            noise: cell.text("noise")?,
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
                classes: cell.count("classes")?,
            },
            measurement: match status {
                Status::Ok => Some(measurement(&cell)?),
                _ => None,
            },
        })
    }
}

fn measurement(cell: &Cell<'_>) -> PolarsResult<Measurement> {
    let confusion = cell.text("confusion")?.parse();
    let bounds = match cell.maybe_number("rademacher")? {
        Some(rademacher) => Some(RiskBounds {
            rademacher,
            rademacher_split: cell.maybe_number("rademacher_split")?,
            excess_risk: cell.maybe_number("excess_risk")?,
        }),
        None => None,
    };
    Ok(Measurement {
        chosen: Chosen {
            kernel: cell.maybe_text("kernel")?,
            sigma: cell.maybe_number("sigma")?,
            dims: cell.maybe_count("dims")?,
            lambda: cell.maybe_number("lambda")?,
            width: cell.maybe_number("width")?,
            depth: cell.maybe_count("depth")?,
        },
        validation_accuracy: cell.number("validation_accuracy")?,
        accuracy: cell.number("accuracy")?,
        confusion: confusion
            .map_err(|fault: String| PolarsError::InvalidOperation(fault.into()))?,
        bounds,
    })
}
