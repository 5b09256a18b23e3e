//! One row of a `bound-tightness` experiment's `cells.parquet`.

use super::plan::Point;
use super::spec::{AllName, Width};
use crate::store::cell::{Cell, column};
use crate::store::{Record, Status};
use polars::prelude::{Column, DataFrame, PolarsResult};

/// A cell: one bound of one map on one dataset, at one point of the axes, in one repeat.
#[derive(Debug, Clone, PartialEq)]
pub struct TightnessRow {
    /// Hash of the cell's axes, 16 hexadecimal digits.
    pub cell_id: String,
    /// The dataset's name in the experiment.
    pub dataset: String,
    /// The feature map.
    pub map: String,
    /// The bound.
    pub bound: String,
    /// Where the axes stand.
    pub point: Point,
    /// The repeat, from 0.
    pub repeat: u32,
    /// How the cell ended.
    pub status: Status,
    /// Why it did not end well.
    pub reason: Option<String>,
    /// The number of the cell's random streams.
    pub seed: u64,
    /// The numbers; present iff the status is ok.
    pub measurement: Option<Tightness>,
}

/// How a bound Γ compares with the movements found, over the points of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Tightness {
    /// Test rows moved.
    pub points: u32,
    /// Input features n.
    pub n_features: u32,
    /// The bandwidth σ.
    pub sigma: f64,
    /// p̄, the norm of features that Γ and the movement are in: `1`, `2` or `inf`.
    pub feature_norm: String,
    /// Mean Γ.
    pub radius_mean: f64,
    /// Largest Γ.
    pub radius_max: f64,
    /// Mean largest movement found.
    pub movement_mean: f64,
    /// Largest movement found.
    pub movement_max: f64,
    /// Mean of Γ ÷ movement.
    pub ratio_mean: f64,
    /// Median of Γ ÷ movement.
    pub ratio_median: f64,
    /// Largest Γ ÷ movement.
    pub ratio_max: f64,
    /// Points that move farther than Γ: 0 for a bound that holds.
    pub violations: u32,
}

impl Record for TightnessRow {
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
        format!("{} of {} on {}", self.bound, self.map, self.dataset)
    }

    fn columns(rows: &[Self]) -> Vec<Column> {
        let count = |name: &str, get: fn(&Tightness) -> u32| {
            column(rows, name, move |row| row.measurement.as_ref().map(get))
        };
        let number = |name: &str, get: fn(&Tightness) -> f64| {
            column(rows, name, move |row| row.measurement.as_ref().map(get))
        };
        vec![
            column(rows, "cell_id", |row| Some(row.cell_id.as_str())),
            column(rows, "dataset", |row| Some(row.dataset.as_str())),
            column(rows, "map", |row| Some(row.map.as_str())),
            column(rows, "bound", |row| Some(row.bound.as_str())),
            column(rows, "n", |row| row.point.n.count().map(|n| n as u32)),
            column(rows, "size", |row| row.point.size as u32),
            column(rows, "sigma_times_median", |row| row.point.sigma),
            column(rows, "gamma", |row| row.point.gamma),
            column(rows, "repeat", |row| row.repeat),
            column(rows, "status", |row| Some(row.status.name())),
            column(rows, "reason", |row| row.reason.as_deref()),
            column(rows, "seed", |row| row.seed),
            count("points", |m| m.points),
            count("n_features", |m| m.n_features),
            number("sigma", |m| m.sigma),
            column(rows, "feature_norm", |row| {
                Some(row.measurement.as_ref()?.feature_norm.as_str())
            }),
            number("radius_mean", |m| m.radius_mean),
            number("radius_max", |m| m.radius_max),
            number("movement_mean", |m| m.movement_mean),
            number("movement_max", |m| m.movement_max),
            number("ratio_mean", |m| m.ratio_mean),
            number("ratio_median", |m| m.ratio_median),
            number("ratio_max", |m| m.ratio_max),
            count("violations", |m| m.violations),
        ]
    }

    fn from_frame(frame: &DataFrame, i: usize) -> PolarsResult<Self> {
        let cell = Cell { frame, i };
        let status = cell.status()?;
        let n = cell.maybe_count("n")?;
        Ok(Self {
            cell_id: cell.text("cell_id")?,
            dataset: cell.text("dataset")?,
            map: cell.text("map")?,
            bound: cell.text("bound")?,
            point: Point {
                n: n.map_or(Width::All(AllName::All), |n| Width::Count(n as usize)),
                size: cell.count("size")? as usize,
                sigma: cell.number("sigma_times_median")?,
                gamma: cell.number("gamma")?,
            },
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

fn measurement(cell: &Cell<'_>) -> PolarsResult<Tightness> {
    Ok(Tightness {
        points: cell.count("points")?,
        n_features: cell.count("n_features")?,
        sigma: cell.number("sigma")?,
        feature_norm: cell.text("feature_norm")?,
        radius_mean: cell.number("radius_mean")?,
        radius_max: cell.number("radius_max")?,
        movement_mean: cell.number("movement_mean")?,
        movement_max: cell.number("movement_max")?,
        ratio_mean: cell.number("ratio_mean")?,
        ratio_median: cell.number("ratio_median")?,
        ratio_max: cell.number("ratio_max")?,
        violations: cell.count("violations")?,
    })
}
