//! Averages over all datasets.

use super::summary::{Number, grouped, measured};
use super::{Axes, Moments, Performance};
use crate::store::{CellRow, Measurement};

/// One method at one level, averaged over the datasets.
#[derive(Debug, Clone, PartialEq)]
pub struct OverallRow {
    /// The method's name.
    pub method: String,
    /// The evaluation level γ, in units of the scaled features.
    pub level: f64,
    /// Repeats averaged.
    pub repeats: usize,
    /// Moments, over repeats, of the mean over datasets.
    pub performance: Performance,
}

/// Averages over datasets, one row per method × level in that nesting, each dataset with the same weight.
///
/// In every repeat the metric is averaged over the datasets; mean and standard deviation are those of these averages over
/// repeats, so that ± means the same as in a dataset's own row. `None` unless there are two datasets or more, every cell
/// was measured and all datasets have the same repeats: an average over whatever happened to succeed compares nothing.
pub fn overall(rows: &[CellRow], axes: &Axes) -> Option<Vec<OverallRow>> {
    if axes.datasets.len() < 2 {
        return None;
    }
    let groups = grouped(rows, axes);
    let repeats = |group: &[&CellRow]| group.iter().map(|row| row.repeat).collect::<Vec<u32>>();
    let first = repeats(groups.first()?);
    if first.is_empty() || groups.iter().any(|group| repeats(group) != first) {
        return None;
    }
    let mut overall = Vec::with_capacity(axes.methods.len() * axes.levels.len());
    for (m, method) in axes.methods.iter().enumerate() {
        for (l, &level) in axes.levels.iter().enumerate() {
            let measurements = (0..axes.datasets.len())
                .map(|d| {
                    let group = &groups[axes.index(d, m, l)];
                    group.iter().map(|row| measured(row)).collect()
                })
                .collect::<Option<Vec<Vec<&Measurement>>>>()?;
            let over_datasets = |of: Number, repeat: usize| -> Option<f64> {
                let values = measurements.iter().map(|d| of(d[repeat]));
                let sum: f64 = values.collect::<Option<Vec<f64>>>()?.iter().sum();
                Some(sum / measurements.len() as f64)
            };
            let moments = |of: Number| {
                let means = (0..first.len()).map(|repeat| over_datasets(of, repeat));
                Moments::of(&means.collect::<Option<Vec<f64>>>()?)
            };
            overall.push(OverallRow {
                method: method.clone(),
                level,
                repeats: first.len(),
                performance: Performance::of(moments)?,
            });
        }
    }
    Some(overall)
}
