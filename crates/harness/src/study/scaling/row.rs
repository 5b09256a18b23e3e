//! One row of a `scaling` experiment's `cells.parquet`: what was trained and found, nothing of what it took.

use crate::store::cell::{Cell, column};
use crate::store::{Record, Status};
use polars::prelude::{Column, DataFrame, PolarsResult};

/// A cell: one method at one size of one axis, in one repeat.
#[derive(Debug, Clone, PartialEq)]
pub struct ScalingRow {
    /// Hash of the cell's axes, 16 hexadecimal digits.
    pub cell_id: String,
    /// The method's name in the experiment.
    pub method: String,
    /// What trains.
    pub solver: String,
    /// The feature map.
    pub map: String,
    /// What it is robust by; `None` for nominal methods.
    pub bound: Option<String>,
    /// The axis that varies.
    pub axis: String,
    /// L.
    pub rows: u32,
    /// n.
    pub inputs: u32,
    /// D or m; `None` for linear models and exact kernels.
    pub features: Option<u32>,
    /// The repeat, from 0.
    pub repeat: u32,
    /// How the cell ended.
    pub status: Status,
    /// Why it did not end well.
    pub reason: Option<String>,
    /// The number of the cell's random streams.
    pub seed: u64,
    /// The numbers; present iff the status is ok.
    pub trained: Option<Trained>,
}

/// What training found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trained {
    /// λ.
    pub lambda: f64,
    /// The kernel's σ; `None` for linear models.
    pub sigma: Option<f64>,
    /// Iterations, epochs, pairs or lower problems; `None` where the solver tells none.
    pub iterations: Option<u32>,
    /// Primal objective.
    pub objective: f64,
    /// Dual objective.
    pub dual_objective: f64,
    /// Certified relative gap `(P − D)/P`.
    pub relative_gap: f64,
}

impl Record for ScalingRow {
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
            rows,
            inputs,
            repeat,
            ..
        } = self;
        let features = self.features.map(|count| format!(", {count} features"));
        let features = features.unwrap_or_default();
        format!("{method} on {rows} rows of {inputs} inputs{features}, repeat {repeat}")
    }

    fn columns(rows: &[Self]) -> Vec<Column> {
        let number = |name: &str, get: fn(&Trained) -> f64| {
            column(rows, name, move |row| row.trained.as_ref().map(get))
        };
        vec![
            column(rows, "cell_id", |row| Some(row.cell_id.as_str())),
            column(rows, "method", |row| Some(row.method.as_str())),
            column(rows, "solver", |row| Some(row.solver.as_str())),
            column(rows, "map", |row| Some(row.map.as_str())),
            column(rows, "bound", |row| row.bound.as_deref()),
            column(rows, "axis", |row| Some(row.axis.as_str())),
            column(rows, "rows", |row| row.rows),
            column(rows, "inputs", |row| row.inputs),
            column(rows, "features", |row| row.features),
            column(rows, "repeat", |row| row.repeat),
            column(rows, "status", |row| Some(row.status.name())),
            column(rows, "reason", |row| row.reason.as_deref()),
            column(rows, "seed", |row| row.seed),
            number("lambda", |trained| trained.lambda),
            column(rows, "sigma", |row| row.trained.and_then(|t| t.sigma)),
            column(rows, "iterations", |row| {
                row.trained.and_then(|trained| trained.iterations)
            }),
            number("objective", |trained| trained.objective),
            number("dual_objective", |trained| trained.dual_objective),
            number("relative_gap", |trained| trained.relative_gap),
        ]
    }

    fn from_frame(frame: &DataFrame, i: usize) -> PolarsResult<Self> {
        let cell = Cell { frame, i };
        let status = cell.status()?;
        Ok(Self {
            cell_id: cell.text("cell_id")?,
            method: cell.text("method")?,
            solver: cell.text("solver")?,
            map: cell.text("map")?,
            bound: cell.maybe_text("bound")?,
            axis: cell.text("axis")?,
            rows: cell.count("rows")?,
            inputs: cell.count("inputs")?,
            features: cell.maybe_count("features")?,
            repeat: cell.count("repeat")?,
            status,
            reason: cell.maybe_text("reason")?,
            seed: cell.seed()?,
            trained: match status {
                Status::Ok => Some(Trained {
                    lambda: cell.number("lambda")?,
                    sigma: cell.maybe_number("sigma")?,
                    iterations: cell.maybe_count("iterations")?,
                    objective: cell.number("objective")?,
                    dual_objective: cell.number("dual_objective")?,
                    relative_gap: cell.number("relative_gap")?,
                }),
                _ => None,
            },
        })
    }
}
