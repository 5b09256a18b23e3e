//! Two methods over the datasets on which both were measured.

use super::errors::{Errors, difference};
use super::within::{Verdict, Within};
use super::{Resamples, SignedRank};

/// One method against another at one level.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The two, by their places on the axes.
    pub methods: [usize; 2],
    /// By dataset of the axes: the repeats that have both; `None` where none has.
    pub within: Vec<Option<Within>>,
    /// Datasets with a planned repeat that either lacks, by their places: left out of all below.
    pub left_out: Vec<usize>,
    /// Mean over datasets of the difference of mean errors, first − second; `None` without datasets.
    pub mean_difference: Option<f64>,
    /// Its bootstrap interval; `None` of few datasets.
    pub interval: Option<[f64; 2]>,
    /// Wilcoxon's test on these differences.
    pub test: SignedRank,
    /// Its two-sided p-value, corrected by Holm over all pairs at the level.
    pub corrected: f64,
    /// Datasets on which the first's mean error is lower, equal and higher.
    pub lower_equal_higher: [usize; 3],
    /// Datasets on which the corrected resampled t-test says win, tie and loss; `None` of one repeat.
    pub wins_ties_losses: Option<[usize; 3]>,
}

impl Pair {
    /// Of two methods; `corrected` is yet to be set.
    pub(super) fn of(
        errors: &Errors,
        methods: [usize; 2],
        datasets: usize,
        planned: usize,
        resamples: &mut Resamples,
    ) -> Self {
        let within: Vec<Option<Within>> = (0..datasets)
            .map(|d| Within::of(errors, d, methods, planned))
            .collect();
        let is_complete = |d: &usize| within[*d].is_some_and(|within| within.complete());
        let (complete, left_out): (Vec<usize>, Vec<usize>) = (0..datasets).partition(is_complete);
        let complete: Vec<Within> = complete.into_iter().filter_map(|d| within[d]).collect();
        let differences: Vec<f64> = complete
            .iter()
            .map(|within| difference(within.means[0], within.means[1]))
            .collect();
        let n = differences.len();
        let count = |keep: fn(f64) -> bool| differences.iter().filter(|d| keep(**d)).count();
        let verdicts: Option<Vec<Verdict>> = complete.iter().map(Within::verdict).collect();
        let wins_ties_losses = verdicts.map(|verdicts| {
            [Verdict::Win, Verdict::Tie, Verdict::Loss]
                .map(|wanted| verdicts.iter().filter(|v| **v == wanted).count())
        });
        let test = SignedRank::test(&differences);
        Self {
            methods,
            mean_difference: (n > 0).then(|| differences.iter().sum::<f64>() / n as f64),
            interval: resamples.interval(&differences),
            corrected: test.two_sided,
            test,
            lower_equal_higher: [count(|d| d < 0.0), count(|d| d == 0.0), count(|d| d > 0.0)],
            wins_ties_losses,
            within,
            left_out,
        }
    }
}
