//! Cell by cell: shares within one test point, objectives within 1e−6 relative, as between processors.

use super::metric::METRICS;
use crate::store::{CellRow, Measurement, Status};

/// Objectives may differ by this much, relative: processors differ in their last bits.
pub(crate) const OBJECTIVE_TOLERANCE: f64 = 1e-6;

/// One number of one cell that moved.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// The cell, as dataset / method / level / repeat.
    pub cell: String,
    /// Its method.
    pub method: String,
    /// Which number.
    pub metric: &'static str,
    /// In the baseline.
    pub baseline: String,
    /// Now.
    pub now: String,
    /// By how much: points of a share over 1, an objective relative, infinite where a number came or went.
    pub size: f64,
    /// Whether it moved the right way.
    pub better: bool,
    /// What kind of movement it is.
    pub kind: Movement,
}

/// How a number moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movement {
    /// The cell has numbers now and had none, or the other way round; or one number is none.
    Measured,
    /// A share, by no more than one test point.
    WithinTolerance,
    /// A share, by more.
    BeyondTolerance,
    /// The objective, by more than its tolerance.
    Objective,
}

/// What moved between rows of the same cells in the same order.
pub(super) fn movements(now: &[CellRow], then: &[CellRow]) -> Vec<Moved> {
    let cells = now.iter().zip(then);
    cells.flat_map(|(now, then)| of_cell(now, then)).collect()
}

/// What moved in one cell.
pub(super) fn of_cell(now: &CellRow, then: &CellRow) -> Vec<Moved> {
    let mut moved = match (&now.measurement, &then.measurement) {
        (Some(now), Some(then)) => of_measurements(now, then),
        _ if now.status == then.status => Vec::new(),
        _ => vec![Moved {
            cell: String::new(),
            method: String::new(),
            metric: "status",
            baseline: then.status.name().into(),
            now: now.status.name().into(),
            size: f64::INFINITY,
            better: now.status == Status::Ok,
            kind: Movement::Measured,
        }],
    };
    for change in &mut moved {
        change.method.clone_from(&now.method);
        change.cell = cell_name(now);
    }
    moved
}

/// Dataset / method / level / repeat.
pub(super) fn cell_name(row: &CellRow) -> String {
    format!(
        "{} / {} / level {} / repeat {}",
        row.dataset, row.method, row.level, row.repeat
    )
}

fn of_measurements(now: &Measurement, then: &Measurement) -> Vec<Moved> {
    // One test point, and a little for the rounding of the fractions.
    let point = 1.0 / f64::from(now.n_test) + 1e-9;
    let mut moved = Vec::new();
    for metric in &METRICS {
        // Baselines of earlier versions lack some.
        let Some(old) = (metric.of)(then) else {
            continue;
        };
        let new = (metric.of)(now).unwrap_or(f64::NAN);
        let size = (new - old).abs();
        if size == 0.0 {
            continue;
        }
        let kind = match size {
            size if size <= point => Movement::WithinTolerance,
            size if size.is_finite() => Movement::BeyondTolerance,
            _ => Movement::Measured,
        };
        let better = metric.gain(new - old) > 0.0;
        moved.push(number(metric.name, old, new, size, better, kind));
    }
    let size = (now.objective - then.objective).abs() / then.objective.abs();
    let is_same = now.objective == then.objective || size <= OBJECTIVE_TOLERANCE;
    if !is_same {
        let kind = if size.is_finite() || now.objective.is_finite() {
            Movement::Objective
        } else {
            Movement::Measured
        };
        let (old, new) = (then.objective, now.objective);
        moved.push(number("objective", old, new, size, false, kind));
    }
    moved
}

fn number(
    metric: &'static str,
    old: f64,
    new: f64,
    size: f64,
    better: bool,
    kind: Movement,
) -> Moved {
    Moved {
        cell: String::new(),
        method: String::new(),
        metric,
        baseline: format!("{old:.6}"),
        now: format!("{new:.6}"),
        size: if size.is_finite() {
            size
        } else {
            f64::INFINITY
        },
        better,
        kind,
    }
}
