//! Methods against each other over datasets.

use crate::support::{axes, classification_tables, compare, names, run};
use robust_svm_harness::plan::Comparison;
use robust_svm_harness::spec::CompareMetric;
use robust_svm_harness::stats::Axes;
use robust_svm_harness::store::Status;
use robust_svm_harness::table::{csv, markdown};

fn few() -> Axes {
    Axes {
        methods: names(&["rff", "robust-rff", "kernel-svm"]),
        levels: vec![0.0, 0.5],
        ..axes(8)
    }
}

fn claim(metric: CompareMetric) -> Comparison {
    Comparison {
        method: "robust-rff".to_owned(),
        with: names(&["rff", "kernel-svm"]),
        metric,
    }
}

/// In the made-up run the certified error of `robust-rff` at γ = 0.5 is lower on each of the eight datasets, so W⁺ = 0
/// and p = 2⁻⁸; of the other rows, Holm's factors are at most 4.
#[test]
fn a_method_that_always_wins() {
    let rows = run(&few(), 3);
    let out = compare(&rows, &few(), &[claim(CompareMetric::CertifiedError)]);
    assert_eq!(out.len(), 4);
    let robust = &out[1];
    assert_eq!((robust.other.as_str(), robust.level), ("rff", 0.5));
    assert_eq!(robust.wins_ties_losses(), [8, 0, 0]);
    assert_eq!(
        (robust.test.positive_ranks, robust.test.p_value),
        (0.0, 1.0 / 256.0)
    );
    assert!(robust.corrected >= 3.0 / 256.0 && robust.corrected <= 4.0 / 256.0);
    let (_, of_method, of_other) = &robust.means[0];
    assert!(of_method < of_other && robust.mean_difference().unwrap() < 0.0);
    let claims = [claim(CompareMetric::CertifiedError)];
    let table = classification_tables(&rows, &few(), &claims).pop().unwrap();
    insta::assert_snapshot!("comparison", markdown(&table));
    assert_eq!(csv(&table.data).lines().count(), 1 + 4 * 8);
}

/// A dataset with a failed repeat of either method is left out, and counted.
#[test]
fn incomplete_datasets_are_left_out() {
    let mut rows = run(&few(), 3);
    let place = rows
        .iter()
        .position(|row| row.method == "rff" && row.level == 0.5)
        .unwrap();
    rows[place].status = Status::Failed;
    rows[place].measurement = None;
    let out = compare(&rows, &few(), &[claim(CompareMetric::CleanError)]);
    let left_out: Vec<usize> = out.iter().map(|row| row.left_out).collect();
    assert_eq!(left_out, [0, 1, 0, 0]);
    assert_eq!(out[1].means.len(), 7);
    // A whole repeat that is missing leaves the other method's mean over more repeats: not comparable.
    rows.remove(place);
    assert_eq!(
        compare(&rows, &few(), &[claim(CompareMetric::CleanError)])[1].left_out,
        1
    );
}
