//! The error of every dataset and method at one level, repeat by repeat.

use super::groups::{Groups, Numbers};
use super::mid_ranks::ROUNDING;
use crate::spec::CompareMetric;
use crate::store::StoreError;

/// One error at one level, for every dataset and method of the axes.
pub(super) struct Errors {
    methods: usize,
    /// By dataset and method: a value for each planned repeat, `None` where it was not measured.
    values: Vec<Vec<Option<f64>>>,
    /// By dataset: test rows over training rows, the largest of its repeats.
    ratios: Vec<f64>,
}

impl Errors {
    /// From the `errors` of `groups` and their `ratios` of test rows over training rows; each dataset was planned to have
    /// `repeats`.
    pub(super) fn new(
        groups: &Groups<'_>,
        [errors, row_ratios]: [&Numbers; 2],
        level: usize,
        repeats: u32,
    ) -> Self {
        let axes = groups.axes;
        let mut values = Vec::with_capacity(axes.datasets.len() * axes.methods.len());
        let mut ratios = vec![0.0_f64; axes.datasets.len()];
        for (d, ratio) in ratios.iter_mut().enumerate() {
            for m in 0..axes.methods.len() {
                let mut of_repeats = vec![None; repeats as usize];
                for cell in groups.of(axes.index(d, m, level)) {
                    let Some(own) = cell.number(row_ratios) else {
                        continue;
                    };
                    if let Some(value) = of_repeats.get_mut(cell.index as usize) {
                        *value = cell.number(errors);
                        *ratio = ratio.max(own);
                    }
                }
                values.push(of_repeats);
            }
        }
        Self {
            methods: axes.methods.len(),
            values,
            ratios,
        }
    }

    /// Test rows over training rows of a dataset.
    pub(super) fn ratio(&self, dataset: usize) -> f64 {
        self.ratios[dataset]
    }

    /// The errors of two methods in the repeats that have both.
    pub(super) fn pairs(&self, dataset: usize, [a, b]: [usize; 2]) -> Vec<[f64; 2]> {
        let of = |method: usize| &self.values[dataset * self.methods + method];
        let both = of(a).iter().zip(of(b));
        both.filter_map(|(a, b)| Some([(*a)?, (*b)?])).collect()
    }

    /// The mean over all planned repeats; `None` if there are none or one was not measured.
    pub(super) fn mean(&self, dataset: usize, method: usize) -> Option<f64> {
        let values = &self.values[dataset * self.methods + method];
        let sum: f64 = values.iter().copied().sum::<Option<f64>>()?;
        (!values.is_empty()).then(|| sum / values.len() as f64)
    }
}

/// `a − b` of two errors in [0, 1], 0 where they differ by the rounding of a mean only.
pub(super) fn difference(a: f64, b: f64) -> f64 {
    let difference = a - b;
    if difference.abs() <= ROUNDING {
        0.0
    } else {
        difference
    }
}

/// Test rows over training rows.
///
/// # Errors
/// [`StoreError`] if they cannot be read.
pub(super) fn ratios(groups: &Groups<'_>) -> Result<Numbers, StoreError> {
    let training = groups.numbers("n_train")?;
    let test = groups.numbers("n_test")?;
    Ok(test.with(&training, |test, training| test / training.max(1.0)))
}

/// An error of each cell.
///
/// # Errors
/// [`StoreError`] if it cannot be read.
pub(super) fn errors(groups: &Groups<'_>, metric: CompareMetric) -> Result<Numbers, StoreError> {
    match metric {
        CompareMetric::CertifiedError => groups.numbers("certified_error"),
        CompareMetric::AttackError => groups.numbers("attack_error"),
        CompareMetric::CleanError => Ok(groups.numbers("accuracy")?.complement()),
        CompareMetric::NoisyError => Ok(groups.numbers("noisy_accuracy")?.complement()),
    }
}
