//! Two methods on one dataset.

use super::ResampledT;
use super::errors::{Errors, difference};

/// The level of every test that counts something: 5 %.
pub const SIGNIFICANCE: f64 = 0.05;

/// One method against another on one dataset, over the repeats that have both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Within {
    /// Repeats planned.
    pub planned: usize,
    /// Mean errors of the two over these repeats.
    pub means: [f64; 2],
    /// The corrected test of the differences, first − second.
    pub test: ResampledT,
    /// The probability of superiority [R. J. Grissom and J. J. Kim, *Effect Sizes for Research*, 2012, ch. 7, dependent
    /// groups]: the share of repeats in which the first has the lower error, half of equal ones counted.
    pub superiority: f64,
}

/// What the test says of the first method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A lower error, p < 5 %.
    Win,
    /// Not told apart.
    Tie,
    /// A higher error, p < 5 %.
    Loss,
}

impl Within {
    /// Of two methods, by their places on the axes; `None` without a repeat that has both.
    pub(super) fn of(
        errors: &Errors,
        dataset: usize,
        methods: [usize; 2],
        planned: usize,
    ) -> Option<Self> {
        let pairs = errors.pairs(dataset, methods);
        let differences: Vec<f64> = pairs.iter().map(|[a, b]| difference(*a, *b)).collect();
        let test = ResampledT::test(&differences, errors.ratio(dataset))?;
        let n = pairs.len() as f64;
        let mean = |which: usize| pairs.iter().map(|pair| pair[which]).sum::<f64>() / n;
        let better = |d: &f64| match d.total_cmp(&0.0) {
            _ if *d == 0.0 => 0.5,
            std::cmp::Ordering::Less => 1.0,
            _ => 0.0,
        };
        Some(Self {
            planned,
            means: [mean(0), mean(1)],
            test,
            superiority: differences.iter().map(better).sum::<f64>() / n,
        })
    }

    /// Whether every planned repeat has both.
    pub fn complete(&self) -> bool {
        self.test.repeats == self.planned
    }

    /// The verdict of the corrected test at 5 %; a tie where it has no p-value, as differences that do not vary have none, and
    /// `None` of one repeat.
    pub fn verdict(&self) -> Option<Verdict> {
        self.test.sd?;
        let is_clear = self.test.p_value.is_some_and(|p| p < SIGNIFICANCE);
        Some(if !is_clear {
            Verdict::Tie
        } else if self.test.interval.mean < 0.0 {
            Verdict::Win
        } else {
            Verdict::Loss
        })
    }
}
