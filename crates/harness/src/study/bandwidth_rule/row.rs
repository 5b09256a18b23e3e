//! One row of a `bandwidth-rule` experiment's `cells.parquet`.

use crate::stats::Share;
use crate::store::cell::{Cell, column};
use crate::store::{Record, Status};
use polars::prelude::{Column, DataFrame, PolarsResult};

/// A cell: one form of the rule for one dimension, number of features, shape and way to draw frequencies.
#[derive(Debug, Clone, PartialEq)]
pub struct BandwidthRow {
    /// Hash of the cell's axes, 16 hexadecimal digits.
    pub cell_id: String,
    /// Input dimension.
    pub n: u32,
    /// D.
    pub dim: u32,
    /// Shape of the sets.
    pub shape: String,
    /// How frequencies are drawn.
    pub frequencies: String,
    /// The form of the rule: `each-frequency` or `all-frequencies`.
    pub rule: String,
    /// Maps drawn.
    pub draws: u32,
    /// The probability that the rule promises.
    pub promised: f64,
    /// How the cell ended.
    pub status: Status,
    /// Why it did not end well.
    pub reason: Option<String>,
    /// The numbers; present iff the status is ok.
    pub kept: Option<Kept>,
}

/// How often angles keep to `|ω_jᵀδ| ≤ θ_max` for every δ of the set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kept {
    /// The bandwidth that the rule gives.
    pub sigma: f64,
    /// The share of frequencies that do.
    pub separate: Share,
    /// The share of maps all of whose D/2 frequencies do.
    pub joint: Share,
}

impl Record for BandwidthRow {
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
        let Self { rule, n, dim, .. } = self;
        format!("{rule} at n = {n}, D = {dim}")
    }

    fn columns(rows: &[Self]) -> Vec<Column> {
        let number = |name: &str, get: fn(&Kept) -> f64| {
            column(rows, name, move |row| row.kept.as_ref().map(get))
        };
        vec![
            column(rows, "cell_id", |row| Some(row.cell_id.as_str())),
            column(rows, "n", |row| row.n),
            column(rows, "dim", |row| row.dim),
            column(rows, "shape", |row| Some(row.shape.as_str())),
            column(rows, "frequencies", |row| Some(row.frequencies.as_str())),
            column(rows, "rule", |row| Some(row.rule.as_str())),
            column(rows, "draws", |row| row.draws),
            column(rows, "promised", |row| row.promised),
            column(rows, "status", |row| Some(row.status.name())),
            column(rows, "reason", |row| row.reason.as_deref()),
            number("sigma", |kept| kept.sigma),
            number("separate", |kept| kept.separate.value),
            number("separate_low", |kept| kept.separate.low),
            number("separate_high", |kept| kept.separate.high),
            number("joint", |kept| kept.joint.value),
            number("joint_low", |kept| kept.joint.low),
            number("joint_high", |kept| kept.joint.high),
        ]
    }

    fn from_frame(frame: &DataFrame, i: usize) -> PolarsResult<Self> {
        let cell = Cell { frame, i };
        let status = cell.status()?;
        Ok(Self {
            cell_id: cell.text("cell_id")?,
            n: cell.count("n")?,
            dim: cell.count("dim")?,
            shape: cell.text("shape")?,
            frequencies: cell.text("frequencies")?,
            rule: cell.text("rule")?,
            draws: cell.count("draws")?,
            promised: cell.number("promised")?,
            status,
            reason: cell.maybe_text("reason")?,
            kept: match status {
                Status::Ok => Some(Kept {
                    sigma: cell.number("sigma")?,
                    separate: share(&cell, "separate")?,
                    joint: share(&cell, "joint")?,
                }),
                _ => None,
            },
        })
    }
}

fn share(cell: &Cell<'_>, name: &str) -> PolarsResult<Share> {
    Ok(Share {
        value: cell.number(name)?,
        low: cell.number(&format!("{name}_low"))?,
        high: cell.number(&format!("{name}_high"))?,
    })
}
