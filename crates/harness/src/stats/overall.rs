//! Averages over all datasets.

use super::groups::{Groups, Numbers, Repeat};
use super::{Moments, Performance};
use crate::store::StoreError;

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
///
/// # Errors
/// [`StoreError`] if the cells cannot be read.
pub fn overall(groups: &Groups<'_>) -> Result<Option<Vec<OverallRow>>, StoreError> {
    let axes = groups.axes;
    let (datasets, levels) = (axes.datasets.len(), axes.levels.len());
    let repeats = |triple| groups.of(triple).iter().map(|cell| cell.index);
    let triples = || 0..axes.len();
    let is_whole = triples().all(|triple| {
        let measured = groups.of(triple).iter().all(Repeat::is_measured);
        measured && repeats(triple).eq(repeats(0))
    });
    let count = triples().next().map_or(0, |first| groups.of(first).len());
    if datasets < 2 || count == 0 || !is_whole {
        return Ok(None);
    }
    let mean = |index: usize, repeat: usize, numbers: &Numbers| -> Option<f64> {
        let of_dataset = |d| {
            let triple = axes.index(d, index / levels, index % levels);
            groups.of(triple)[repeat].number(numbers)
        };
        let sum: f64 = (0..datasets).map(of_dataset).sum::<Option<f64>>()?;
        Some(sum / datasets as f64)
    };
    let moments = |index, numbers: &Numbers| {
        let means = (0..count).map(|repeat| mean(index, repeat, numbers));
        Moments::of(&means.collect::<Option<Vec<f64>>>()?)
    };
    let performances = Performance::each(groups, axes.methods.len() * levels, moments)?;
    let row = |(index, performance): (usize, Option<Performance>)| {
        Some(OverallRow {
            method: axes.methods[index / levels].clone(),
            level: axes.levels[index % levels],
            repeats: count,
            performance: performance?,
        })
    };
    Ok(performances.into_iter().enumerate().map(row).collect())
}
