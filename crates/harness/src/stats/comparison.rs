//! Two methods over datasets.

use super::errors::{difference, errors};
use super::groups::{Groups, Numbers, Repeat};
use super::{SignedRank, holm};
use crate::plan::Comparison;
use crate::spec::CompareMetric;
use crate::store::StoreError;

/// One method against another at one level.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonRow {
    /// The method said to be better.
    pub method: String,
    /// The other one.
    pub other: String,
    /// The error compared.
    pub metric: CompareMetric,
    /// The evaluation level γ.
    pub level: f64,
    /// The mean over repeats of each dataset: of the method, and of the other. Datasets with a repeat that either lacks
    /// are left out; a repeat that both lack, as in a part of an experiment, is not missed.
    pub means: Vec<(String, f64, f64)>,
    /// Datasets left out.
    pub left_out: usize,
    /// Wilcoxon's one-sided test on the differences of the means, method − other.
    pub test: SignedRank,
    /// Its p-value, corrected by Holm over the rows of the same comparison and metric.
    pub corrected: f64,
}

impl ComparisonRow {
    /// The mean difference over datasets, method − other; `None` without datasets.
    pub fn mean_difference(&self) -> Option<f64> {
        let n = self.means.len();
        let sum: f64 = self.means.iter().map(|(_, a, b)| difference(*a, *b)).sum();
        (n > 0).then(|| sum / n as f64)
    }

    /// Datasets on which the method's mean is lower, equal and higher.
    pub fn wins_ties_losses(&self) -> [usize; 3] {
        let count = |keep: fn(f64) -> bool| {
            let differences = self.means.iter().map(|(_, a, b)| difference(*a, *b));
            differences.filter(|d| keep(*d)).count()
        };
        [count(|d| d < 0.0), count(|d| d == 0.0), count(|d| d > 0.0)]
    }
}

/// A row for each comparison, other method and level, in that nesting.
///
/// Repeats of one dataset share its rows and are not independent, so each dataset counts once, by its mean [J. Demšar,
/// JMLR 7 (2006)].
///
/// # Errors
/// [`StoreError`] if the cells cannot be read.
pub fn compare(
    groups: &Groups<'_>,
    comparisons: &[Comparison],
) -> Result<Vec<ComparisonRow>, StoreError> {
    let axes = groups.axes;
    let mut out = Vec::new();
    for comparison in comparisons {
        let first = out.len();
        let errors = errors(groups, comparison.metric)?;
        for other in &comparison.with {
            for (l, &level) in axes.levels.iter().enumerate() {
                let mean = |name: &String, d: usize| -> Option<(Vec<u32>, f64)> {
                    let m = axes.methods.iter().position(|method| method == name)?;
                    dataset_mean(groups.of(axes.index(d, m, l)), &errors)
                };
                let means: Vec<(String, f64, f64)> = (0..axes.datasets.len())
                    .filter_map(|d| {
                        let (repeats, of_method) = mean(&comparison.method, d)?;
                        let (same, of_other) = mean(other, d)?;
                        (repeats == same).then(|| (axes.datasets[d].clone(), of_method, of_other))
                    })
                    .collect();
                let differences: Vec<f64> =
                    means.iter().map(|(_, a, b)| difference(*a, *b)).collect();
                let test = SignedRank::test(&differences);
                out.push(ComparisonRow {
                    method: comparison.method.clone(),
                    other: other.clone(),
                    metric: comparison.metric,
                    level,
                    left_out: axes.datasets.len() - means.len(),
                    means,
                    corrected: test.p_value,
                    test,
                });
            }
        }
        let p_values: Vec<f64> = out[first..].iter().map(|row| row.test.p_value).collect();
        for (row, corrected) in out[first..].iter_mut().zip(holm(&p_values)) {
            row.corrected = corrected;
        }
    }
    Ok(out)
}

/// The repeats of a group and their mean; `None` if there are none or one was not measured.
fn dataset_mean(cells: &[Repeat], errors: &Numbers) -> Option<(Vec<u32>, f64)> {
    let values = cells.iter().map(|cell| cell.number(errors));
    let values: Vec<f64> = values.collect::<Option<_>>()?;
    let repeats = cells.iter().map(|cell| cell.index).collect();
    let n = values.len();
    (n > 0).then(|| (repeats, values.iter().sum::<f64>() / n as f64))
}
