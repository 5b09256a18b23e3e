//! What tables and figures show of the rows: means over repeats with intervals.

use super::plan::{Method, SafePlan};
use super::row::{Measurement, SafeRow, TestErrors};
use crate::stats::Interval;

/// Which error.
pub(super) type Error = fn(&TestErrors) -> f64;

/// The rows of one dataset at one level.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) dataset: &'a str,
    pub(super) level: f64,
    rows: Vec<&'a SafeRow>,
}

impl<'a> Entry<'a> {
    /// Test rows over training rows, mean over repeats.
    fn ratio(&self) -> f64 {
        let rows = self.rows.iter().filter(|row| row.sizes.train > 0);
        let ratios: Vec<f64> = rows
            .map(|row| f64::from(row.sizes.test) / f64::from(row.sizes.train))
            .collect();
        ratios.iter().sum::<f64>() / ratios.len().max(1) as f64
    }

    /// The rows of `method` that were measured, in the order of repeats.
    fn measured(&self, method: Method) -> impl Iterator<Item = (u32, &'a Measurement)> {
        let of_method = self
            .rows
            .iter()
            .filter(move |row| row.method == method.name());
        of_method.filter_map(|row| Some((row.repeat, row.measurement.as_ref()?)))
    }

    /// The mean of what `get` finds over the repeats of `method`.
    pub(super) fn mean(
        &self,
        method: Method,
        get: impl Fn(&Measurement) -> Option<f64>,
    ) -> Option<Interval> {
        let values: Vec<f64> = self.measured(method).filter_map(|(_, m)| get(m)).collect();
        Interval::corrected(&values, self.ratio())
    }

    /// The mean of the error of the safe method less that of `other`, over the repeats that have both.
    pub(super) fn difference(&self, other: Method, error: Error) -> Option<Interval> {
        let others: Vec<(u32, &Measurement)> = self.measured(other).collect();
        let pair = |(repeat, safe): (u32, &Measurement)| {
            let (_, other) = others.iter().find(|(of, _)| *of == repeat)?;
            Some(error(&safe.errors) - error(&other.errors))
        };
        let values: Vec<f64> = self.measured(Method::Safe).filter_map(pair).collect();
        Interval::corrected(&values, self.ratio())
    }

    /// How many descents of the safe method ended as `status`, and how many there are.
    pub(super) fn ended(&self, status: &str) -> (usize, usize) {
        let descents = self
            .measured(Method::Safe)
            .filter_map(|(_, m)| m.descent.as_ref());
        let all: Vec<bool> = descents.map(|descent| descent.status == status).collect();
        (all.iter().filter(|is_it| **is_it).count(), all.len())
    }
}

/// Every entry, dataset by dataset in the plan's order, levels ascending.
pub(super) fn entries<'a>(plan: &'a SafePlan, rows: &'a [SafeRow]) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    for task in &plan.tasks {
        for level in plan.ascending_levels() {
            let is_here = |row: &&SafeRow| row.dataset == task.label && row.level == level;
            let mut rows: Vec<&SafeRow> = rows.iter().filter(is_here).collect();
            rows.sort_by_key(|row| row.repeat);
            entries.push(Entry {
                dataset: &task.label,
                level,
                rows,
            });
        }
    }
    entries
}
