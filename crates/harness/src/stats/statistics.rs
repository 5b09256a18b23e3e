//! What the tests say of the methods, for each error and level.

use super::errors::{Errors, errors, ratios};
use super::groups::Groups;
use super::{LevelUnit, Pair, Ranking, Resamples, holm};
use crate::spec::CompareMetric;
use crate::store::StoreError;

/// One error at one level.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelStatistics {
    /// The error.
    pub metric: CompareMetric,
    /// The evaluation level.
    pub level: f64,
    /// All methods.
    pub ranking: Ranking,
    /// Every two methods, in the order of the axes.
    pub pairs: Vec<Pair>,
}

/// The errors, in the order in which a report shows them.
const METRICS: [CompareMetric; 4] = [
    CompareMetric::CleanError,
    CompareMetric::NoisyError,
    CompareMetric::AttackError,
    CompareMetric::CertifiedError,
];

/// The statistics of each error and level, in that nesting; none for fewer than two methods.
///
/// At level 0 every error is the clean one and is left out. `repeats` are those planned of each dataset: where one is not
/// measured, whatever the reason, the dataset is incomplete. `seed` is the experiment's.
///
/// # Errors
/// [`StoreError`] if the cells cannot be read.
pub fn statistics(
    groups: &Groups<'_>,
    repeats: u32,
    seed: u64,
) -> Result<Vec<LevelStatistics>, StoreError> {
    let axes = groups.axes;
    let (datasets, methods) = (axes.datasets.len(), axes.methods.len());
    if methods < 2 {
        return Ok(Vec::new());
    }
    let ratios = ratios(groups)?;
    let mut resamples = Resamples::new(seed);
    let mut statistics = Vec::new();
    for metric in METRICS {
        let errors = errors(groups, metric)?;
        for (l, &level) in axes.levels.iter().enumerate() {
            let is_clean = level == 0.0 && axes.unit != LevelUnit::Chance;
            if is_clean && metric != CompareMetric::CleanError {
                continue;
            }
            let errors = Errors::new(groups, [&errors, &ratios], l, repeats);
            let mut pairs = Vec::with_capacity(methods * (methods - 1) / 2);
            for a in 0..methods {
                for b in a + 1..methods {
                    let planned = repeats as usize;
                    pairs.push(Pair::of(&errors, [a, b], datasets, planned, &mut resamples));
                }
            }
            let p_values: Vec<f64> = pairs.iter().map(|pair| pair.test.two_sided).collect();
            for (pair, corrected) in pairs.iter_mut().zip(holm(&p_values)) {
                pair.corrected = corrected;
            }
            statistics.push(LevelStatistics {
                metric,
                level,
                ranking: Ranking::of(&errors, datasets, methods, &mut resamples),
                pairs,
            });
        }
    }
    Ok(statistics)
}
