//! The error of every dataset and method at one level, repeat by repeat.

use super::Axes;
use super::mid_ranks::ROUNDING;
use super::summary::{Number, measured};
use crate::spec::CompareMetric;
use crate::store::CellRow;

/// One error at one level, for every dataset and method of the axes.
pub(super) struct Errors {
    methods: usize,
    /// By dataset and method: a value for each planned repeat, `None` where it was not measured.
    values: Vec<Vec<Option<f64>>>,
    /// By dataset: test rows over training rows, the largest of its repeats.
    ratios: Vec<f64>,
}

impl Errors {
    /// From the groups of cells of `axes`, of which each dataset was planned to have `repeats`.
    pub(super) fn new(
        groups: &[Vec<&CellRow>],
        axes: &Axes,
        metric: CompareMetric,
        level: usize,
        repeats: u32,
    ) -> Self {
        let mut values = Vec::with_capacity(axes.datasets.len() * axes.methods.len());
        let mut ratios = vec![0.0_f64; axes.datasets.len()];
        for (d, ratio) in ratios.iter_mut().enumerate() {
            for m in 0..axes.methods.len() {
                let mut of_repeats = vec![None; repeats as usize];
                for row in &groups[axes.index(d, m, level)] {
                    let Some(measurement) = measured(row) else {
                        continue;
                    };
                    if let Some(value) = of_repeats.get_mut(row.repeat as usize) {
                        *value = number(metric)(measurement);
                        let rows = [measurement.n_test, measurement.n_train].map(f64::from);
                        *ratio = ratio.max(rows[0] / rows[1].max(1.0));
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

/// The error in a measurement.
pub(super) fn number(metric: CompareMetric) -> Number {
    match metric {
        CompareMetric::CertifiedError => |m| Some(m.certified_error),
        CompareMetric::AttackError => |m| Some(m.attack_error),
        CompareMetric::CleanError => |m| Some(1.0 - m.accuracy),
        CompareMetric::NoisyError => |m| Some(1.0 - m.noisy_accuracy),
    }
}
