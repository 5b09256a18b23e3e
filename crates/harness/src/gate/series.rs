//! Each method's metrics over the repeats, and whether they moved.

use super::metric::{METRICS, Metric};
use super::sign_flip::{EXACT_PAIRS, interval, p_above, p_below, smallest_p};
use crate::stats::holm;
use crate::store::CellRow;
use std::collections::BTreeMap;

/// Differences of means below this are 0: they would be so without rounding.
const ROUNDING: f64 = 1e-12;

/// A metric of a method in the baseline and now, by repeat: means over the datasets and levels that were measured in both.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The method.
    pub method: String,
    /// The metric.
    pub metric: Metric,
    /// How many cells the means are over, in all repeats together.
    pub cells: usize,
    /// The means of the baseline, a value a repeat.
    pub baseline: Vec<f64>,
    /// Now − baseline, a value a repeat.
    pub differences: Vec<f64>,
}

impl Series {
    /// The mean over the repeats of the baseline.
    pub fn baseline_mean(&self) -> f64 {
        mean(&self.baseline)
    }

    /// The mean over the repeats of now − baseline.
    pub fn difference(&self) -> f64 {
        mean(&self.differences)
    }

    /// Interval that covers the difference with probability 1 − `alpha`, for this series alone.
    pub fn interval(&self, alpha: f64) -> Option<(f64, f64)> {
        interval(&self.differences, alpha)
    }

    /// Whether any repeat differs.
    pub fn moved(&self) -> bool {
        self.differences.iter().any(|d| *d != 0.0)
    }

    /// Whether it moved to the better side.
    pub fn is_better(&self) -> bool {
        self.metric.gain(self.difference()) > 0.0
    }
}

/// The series of rows of the same cells in the same order: methods by name, each with the metrics that some cell of it has in
/// both.
pub fn series(now: &[CellRow], then: &[CellRow]) -> Vec<Series> {
    let mut methods: Vec<&str> = then.iter().map(|row| row.method.as_str()).collect();
    methods.sort_unstable();
    methods.dedup();
    let each = methods
        .into_iter()
        .flat_map(|method| METRICS.iter().map(move |metric| (method, metric)));
    each.filter_map(|(method, metric)| one(now, then, method, metric))
        .collect()
}

/// The series of one method and metric; `None` where no cell has it in both.
fn one(now: &[CellRow], then: &[CellRow], method: &str, metric: &Metric) -> Option<Series> {
    // Per repeat: how many cells, the sum of the baseline, the sum of the differences.
    let mut sums: BTreeMap<u32, (usize, f64, f64)> = BTreeMap::new();
    for (now, then) in now.iter().zip(then).filter(|(now, _)| now.method == method) {
        let value = |row: &CellRow| (metric.of)(row.measurement.as_ref()?);
        if let (Some(new), Some(old)) = (value(now), value(then)) {
            let (cells, baseline, difference) = sums.entry(then.repeat).or_default();
            *cells += 1;
            *baseline += old;
            *difference += new - old;
        }
    }
    let rounded = |d: f64| if d.abs() < ROUNDING { 0.0 } else { d };
    let means = |of: fn(&(usize, f64, f64)) -> f64| -> Vec<f64> {
        let of_repeat = |sums: &(usize, f64, f64)| of(sums) / sums.0 as f64;
        sums.values().map(of_repeat).collect()
    };
    (!sums.is_empty()).then(|| Series {
        method: method.to_owned(),
        metric: *metric,
        cells: sums.values().map(|sums| sums.0).sum(),
        baseline: means(|sums| sums.1),
        differences: means(|sums| sums.2).into_iter().map(rounded).collect(),
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A series and the tests of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tested {
    /// The series.
    pub series: Series,
    /// One-sided p-values of its being worse.
    pub worse: PValue,
    /// One-sided p-values of its being better.
    pub better: PValue,
}

impl Tested {
    /// The p-values of the direction it moved in.
    pub fn p(&self) -> PValue {
        if self.series.is_better() {
            self.better
        } else {
            self.worse
        }
    }
}

/// A p-value alone, and corrected by Holm over all series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PValue {
    /// Of this test alone.
    pub alone: f64,
    /// Corrected for the number of tests.
    pub holm: f64,
}

/// Tests each series in both directions. The tests in one direction are a family: that any of it rejects at α after Holm where
/// nothing moved has probability α at most.
pub fn test(series: Vec<Series>) -> Vec<Tested> {
    let family = |higher_is: bool| -> Vec<PValue> {
        let p = |s: &Series| {
            if s.metric.higher_is_better == higher_is {
                p_above(&s.differences)
            } else {
                p_below(&s.differences)
            }
        };
        let alone: Vec<f64> = series.iter().map(p).collect();
        let corrected = holm(&alone);
        let both = alone.into_iter().zip(corrected);
        both.map(|(alone, holm)| PValue { alone, holm }).collect()
    };
    let (better, worse) = (family(true), family(false));
    let tests = series.into_iter().zip(worse).zip(better);
    tests
        .map(|((series, worse), better)| Tested {
            series,
            worse,
            better,
        })
        .collect()
}

/// Whether the tests of `series` can reject at `alpha` after Holm's correction; if not, what they lack.
pub(super) fn enough_repeats(series: &[Series], alpha: f64) -> Result<(), TooFewRepeats> {
    let repeats = series.iter().map(|s| s.differences.len()).min();
    let repeats = repeats.unwrap_or(0);
    let least = alpha / series.len() as f64;
    if smallest_p(repeats) <= least {
        return Ok(());
    }
    let more = repeats + 1..=EXACT_PAIRS;
    Err(TooFewRepeats {
        repeats,
        tests: series.len(),
        needed: more.into_iter().find(|n| smallest_p(*n) <= least),
    })
}

/// Tests that could not reject whatever happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooFewRepeats {
    /// The fewest repeats of a series.
    pub repeats: usize,
    /// How many series there are.
    pub tests: usize,
    /// How many repeats are enough; `None` if no number is, because α is too small.
    pub needed: Option<usize>,
}
