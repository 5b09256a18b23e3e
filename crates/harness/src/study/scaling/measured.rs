//! What cells took, by method, axis and size: rows and timings together.

use super::plan::ScalingPlan;
use super::row::ScalingRow;
use super::size::AxisName;
use super::slope::Slope;
use crate::stats::median;
use crate::store::TimingRow;
use std::collections::BTreeMap;

/// What is measured of a cell beside its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    /// Processor seconds of map, bound and solver, on one thread.
    Time,
    /// Peak memory of the worker process above what it held before the cell, in bytes.
    Memory,
}

impl Quantity {
    /// Both.
    pub(super) const ALL: [Self; 2] = [Self::Time, Self::Memory];

    /// The name in results.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory",
        }
    }
}

/// All repeats of a method at one size.
#[derive(Debug, Default)]
pub(super) struct AtSize {
    pub(super) size: usize,
    /// Processor seconds, > 0.
    pub(super) seconds: Vec<f64>,
    /// Bytes, > 0.
    pub(super) bytes: Vec<f64>,
    pub(super) iterations: Vec<f64>,
    pub(super) gaps: Vec<f64>,
}

/// A method along an axis.
#[derive(Debug)]
pub(super) struct Curve {
    /// Which of the plan's methods.
    pub(super) method: usize,
    pub(super) axis: AxisName,
    /// By size.
    pub(super) points: Vec<AtSize>,
}

impl AtSize {
    /// The values of `quantity`, one a repeat.
    pub(super) fn of(&self, quantity: Quantity) -> &[f64] {
        match quantity {
            Quantity::Time => &self.seconds,
            Quantity::Memory => &self.bytes,
        }
    }
}

impl Curve {
    /// The slope of `quantity`.
    pub(super) fn slope(&self, quantity: Quantity) -> Option<Slope> {
        let of_size = |at: &AtSize| {
            let size = at.size as f64;
            let values = at.of(quantity).to_vec().into_iter();
            values.map(move |value| (size, value)).collect::<Vec<_>>()
        };
        let points: Vec<(f64, f64)> = self.points.iter().flat_map(of_size).collect();
        Slope::of(&points)
    }
}

/// Every method along each of its axes, in the plan's order. Cells that did not end well are left out, and so is what is not known
/// or not above 0: a cell for which the worker's own memory was enough has no place on a logarithmic axis.
pub(super) fn curves(plan: &ScalingPlan, rows: &[ScalingRow], timings: &[TimingRow]) -> Vec<Curve> {
    let timings: BTreeMap<&str, &TimingRow> =
        timings.iter().map(|row| (&*row.cell_id, row)).collect();
    let rows: BTreeMap<&str, &ScalingRow> = rows.iter().map(|row| (&*row.cell_id, row)).collect();
    let mut curves: Vec<Curve> = Vec::new();
    let cells = plan.all();
    for (method, of_method) in plan.methods.iter().enumerate() {
        curves.extend(of_method.axes().map(|axis| {
            let at = |&size: &usize| AtSize {
                size,
                ..AtSize::default()
            };
            let points = of_method.values.of(axis).iter().map(at).collect();
            Curve {
                method,
                axis,
                points,
            }
        }));
    }
    for cell in cells {
        let id = plan.planned(cell).id;
        let Some(trained) = rows.get(&*id).and_then(|row| row.trained) else {
            continue;
        };
        let size = *cell.sizes.of(cell.axis);
        let own = |curve: &&mut Curve| curve.method == cell.method && curve.axis == cell.axis;
        let curve = curves.iter_mut().find(own);
        let at = curve.and_then(|curve| curve.points.iter_mut().find(|at| at.size == size));
        let Some(at) = at else {
            continue;
        };
        at.iterations.extend(trained.iterations.map(f64::from));
        at.gaps.push(trained.relative_gap);
        let Some(timing) = timings.get(&*id) else {
            continue;
        };
        let seconds = timing.seconds.processor;
        at.seconds.extend((seconds > 0.0).then_some(seconds));
        let bytes = timing.peak_bytes.zip(timing.start_bytes);
        let bytes = bytes.and_then(|(peak, start)| peak.checked_sub(start));
        at.bytes
            .extend(bytes.filter(|bytes| *bytes > 0).map(|bytes| bytes as f64));
    }
    curves
}

/// The median of `values`, the least and the largest.
pub(super) fn median_and_range(values: &[f64]) -> Option<[f64; 3]> {
    let all = || values.iter().copied();
    Some([
        median(values)?,
        all().reduce(f64::min)?,
        all().reduce(f64::max)?,
    ])
}
