//! What `robust-svm check` prints as JSON.

use crate::gate::{Basis, Comparison, FewRepeats, Moved, Movement, Tested, Verdict};
use serde::Serialize;
use std::path::Path;

/// A verdict and what it rests on.
#[derive(Serialize)]
pub(super) struct CheckObject<'a> {
    command: &'static str,
    results: &'a Path,
    baseline: &'a Path,
    verdict: &'static str,
    /// What the verdict rests on: `equal`, `tolerances`, `too-few-repeats` or `tests`.
    basis: &'static str,
    /// Cells compared.
    cells: usize,
    moved: Vec<MovedObject<'a>>,
    /// Of the tests; none where there are none.
    alpha: Option<f64>,
    tests: Vec<TestObject<'a>>,
    /// Large losses in few repeats of methods that are otherwise as they were.
    few_repeats: Vec<FewRepeatsObject<'a>>,
}

#[derive(Serialize)]
struct MovedObject<'a> {
    cell: &'a str,
    metric: &'a str,
    baseline: &'a str,
    now: &'a str,
    better: bool,
    movement: &'static str,
}

/// A method and metric; p-values are one-sided, with Holm's correction beside them.
#[derive(Serialize)]
struct TestObject<'a> {
    method: &'a str,
    metric: &'a str,
    baseline_mean: f64,
    difference: f64,
    p_worse: f64,
    p_worse_holm: f64,
    p_better: f64,
    p_better_holm: f64,
}

/// The largest loss of a repeat's mean is a share.
#[derive(Serialize)]
struct FewRepeatsObject<'a> {
    method: &'a str,
    metric: &'a str,
    repeats: &'a [u32],
    largest_loss: f64,
}

impl<'a> CheckObject<'a> {
    pub(super) fn new(results: &'a Path, baseline: &'a Path, comparison: &'a Comparison) -> Self {
        let none = (&[][..], &[][..], None);
        let (basis, (tested, few_repeats, alpha)) = match &comparison.basis {
            Basis::Equal => ("equal", none),
            Basis::Tolerances => ("tolerances", none),
            Basis::TooFewRepeats(_) => ("too-few-repeats", none),
            Basis::Tests {
                tested,
                few_repeats,
                alpha,
            } => (
                "tests",
                (tested.as_slice(), few_repeats.as_slice(), Some(*alpha)),
            ),
        };
        Self {
            command: "check",
            results,
            baseline,
            verdict: match comparison.verdict {
                Verdict::Same => "same",
                Verdict::Regressed => "regressed",
                Verdict::Improved => "improved",
                Verdict::Differs => "differs",
                Verdict::NothingMeasured => "nothing-measured",
            },
            basis,
            cells: comparison.cells,
            moved: comparison.moved.iter().map(moved).collect(),
            alpha,
            tests: tested.iter().map(test).collect(),
            few_repeats: few_repeats.iter().map(lost).collect(),
        }
    }
}

fn moved(moved: &Moved) -> MovedObject<'_> {
    MovedObject {
        cell: &moved.cell,
        metric: moved.metric,
        baseline: &moved.baseline,
        now: &moved.now,
        better: moved.better,
        movement: match moved.kind {
            Movement::Measured => "measured",
            Movement::WithinTolerance => "within-tolerance",
            Movement::BeyondTolerance => "beyond-tolerance",
            Movement::Objective => "objective",
        },
    }
}

fn lost(lost: &FewRepeats) -> FewRepeatsObject<'_> {
    FewRepeatsObject {
        method: &lost.method,
        metric: lost.metric,
        repeats: &lost.repeats,
        largest_loss: lost.largest,
    }
}

fn test(tested: &Tested) -> TestObject<'_> {
    TestObject {
        method: &tested.series.method,
        metric: tested.series.metric.name,
        baseline_mean: tested.series.baseline_mean(),
        difference: tested.series.difference(),
        p_worse: tested.worse.alone,
        p_worse_holm: tested.worse.holm,
        p_better: tested.better.alone,
        p_better_holm: tested.better.holm,
    }
}
