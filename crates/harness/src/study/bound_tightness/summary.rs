//! What tables and figures show of the rows: medians over repeats.

use super::plan::{MapPlan, Point, TightnessPlan};
use super::row::{Tightness, TightnessRow};
use crate::stats::median;
use robust_svm_bounds::FeatureBound;

/// The rows of one bound of one map on one dataset at one point of the axes: one a repeat.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) dataset: &'a str,
    pub(super) map: &'a MapPlan,
    pub(super) bound: &'static dyn FeatureBound,
    pub(super) point: Point,
    measured: Vec<&'a Tightness>,
}

impl Entry<'_> {
    /// The median over repeats of the median ratio over points; `None` where nothing was measured.
    pub(super) fn ratio(&self) -> Option<f64> {
        self.over_repeats(|m| m.ratio_median)
    }

    /// The median over repeats of what `get` finds.
    pub(super) fn over_repeats(&self, get: fn(&Tightness) -> f64) -> Option<f64> {
        let values: Vec<f64> = self.measured.iter().map(|m| get(m)).collect();
        median(&values)
    }

    /// The largest ratio of any point of any repeat.
    pub(super) fn largest_ratio(&self) -> Option<f64> {
        let ratios = self.measured.iter().map(|m| m.ratio_max);
        ratios.reduce(f64::max)
    }

    /// Input features used: the most of any repeat, as columns that are constant on training rows are left out.
    pub(super) fn n_features(&self) -> Option<u32> {
        self.measured.iter().map(|m| m.n_features).max()
    }

    /// Points that moved farther than the bound, over all repeats.
    pub(super) fn violations(&self) -> u32 {
        self.measured.iter().map(|m| m.violations).sum()
    }

    /// Points measured, over all repeats.
    pub(super) fn points(&self) -> u32 {
        self.measured.iter().map(|m| m.points).sum()
    }
}

/// Every entry, in the order of maps, points, bounds and datasets.
pub(super) fn entries<'a>(plan: &'a TightnessPlan, rows: &'a [TightnessRow]) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    for map in &plan.maps {
        let of_map: Vec<&TightnessRow> = rows
            .iter()
            .filter(|row| row.map == map.map.name())
            .collect();
        for point in plan.points(map) {
            let here: Vec<&&TightnessRow> =
                of_map.iter().filter(|row| row.point == point).collect();
            for &bound in &map.bounds {
                for task in &plan.tasks {
                    let of_entry = |row: &&&&TightnessRow| {
                        row.bound == bound.name() && row.dataset == task.label
                    };
                    let of_entry = here.iter().filter(of_entry);
                    entries.push(Entry {
                        dataset: &task.label,
                        map,
                        bound,
                        point,
                        measured: of_entry
                            .filter_map(|row| row.measurement.as_ref())
                            .collect(),
                    });
                }
            }
        }
    }
    entries
}
