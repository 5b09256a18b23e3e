//! Tests over a whole run: which datasets they take, what they count, and that order and names do not matter.

use crate::support::{axes, names, run, statistics};
use proptest::prelude::*;
use robust_svm_harness::spec::CompareMetric;
use robust_svm_harness::stats::{Axes, LevelStatistics, LevelUnit, Pair};
use robust_svm_harness::store::{CellRow, Status};

const SEED: u64 = 2018;

fn few() -> Axes {
    Axes {
        methods: names(&["rff", "robust-rff", "kernel-svm"]),
        levels: vec![0.0, 0.5],
        ..axes(8)
    }
}

fn at(all: &[LevelStatistics], metric: CompareMetric, level: f64) -> &LevelStatistics {
    let mut found = all
        .iter()
        .filter(|s| s.metric == metric && s.level == level);
    found
        .next()
        .expect("there are statistics of every error and level")
}

/// The error `metric` of every row, changed.
fn changed(rows: &mut [CellRow], change: impl Fn(&CellRow) -> Option<f64>) {
    for row in rows {
        let error = change(row);
        if let (Some(error), Some(measurement)) = (error, row.measurement.as_mut()) {
            measurement.certified_error = error;
        }
    }
}

#[test]
fn level_0_has_the_clean_error_alone_and_chances_have_no_level_0() {
    let rows = run(&few(), 3);
    let shown: Vec<(&str, f64)> = statistics(&rows, &few(), 3, SEED)
        .iter()
        .map(|s| (s.metric.name(), s.level))
        .collect();
    let expected = [
        ("clean-error", 0.0),
        ("clean-error", 0.5),
        ("noisy-error", 0.5),
        ("attack-error", 0.5),
        ("certified-error", 0.5),
    ];
    assert_eq!(shown, expected);
    let chance = Axes {
        unit: LevelUnit::Chance,
        ..few()
    };
    assert_eq!(statistics(&rows, &chance, 3, SEED).len(), 8);
    let one = Axes {
        methods: names(&["rff"]),
        ..few()
    };
    assert!(statistics(&rows, &one, 3, SEED).is_empty());
}

/// Certified errors by hand: on five of eight datasets `rff` is 0.2 lower than `robust-rff` but for ±0.001, on two
/// 0.01 lower but for ±0.1, and on one the same.
#[test]
fn wins_need_a_difference_beyond_the_spread_of_repeats() {
    let mut rows = run(&few(), 4);
    changed(&mut rows, |row| {
        let d = few()
            .datasets
            .iter()
            .position(|name| *name == row.dataset)?;
        let sign = if row.repeat % 2 == 0 { 1.0 } else { -1.0 };
        let (lead, spread) = match d {
            0..5 => (0.2, 0.001),
            5..7 => (0.01, 0.1),
            _ => (0.0, 0.0),
        };
        Some(match &*row.method {
            "rff" => 0.3 - lead + sign * spread,
            _ => 0.3,
        })
    });
    let all = statistics(&rows, &few(), 4, SEED);
    let of_level = at(&all, CompareMetric::CertifiedError, 0.5);
    let pair = &of_level.pairs[0];
    assert_eq!(pair.methods, [0, 1]);
    assert_eq!(pair.lower_equal_higher, [7, 1, 0]);
    assert_eq!(pair.wins_ties_losses, Some([5, 3, 0]));
    // Seven differences, all below 0: p = 2 · 2⁻⁷; of three pairs, two of them with the same errors.
    assert_eq!((pair.test.pairs, pair.test.two_sided), (7, 2.0 / 128.0));
    assert!((pair.corrected - 3.0 * 2.0 / 128.0).abs() < 1e-15);
    assert_eq!(pair.test.rank_biserial(), Some(-1.0));
    let mean = -(5.0 * 0.2 + 2.0 * 0.01) / 8.0;
    assert!((pair.mean_difference.unwrap() - mean).abs() < 1e-12);
    let [low, high] = pair.interval.unwrap();
    assert!(-0.2 <= low && low < mean && mean < high && high <= 0.0);
    // se² = (1/4 + 114/341) s² with s² = 4 · 0.1²/3 on the sixth dataset.
    let within = pair.within[5].unwrap();
    let se = ((0.25 + 114.0 / 341.0) * 4.0 * 0.01 / 3.0_f64).sqrt();
    assert!((within.test.statistic.unwrap() + 0.01 / se).abs() < 1e-9);
    assert_eq!(within.superiority, 0.5);
    // `robust-rff` and `kernel-svm` have the same errors everywhere.
    let same = &of_level.pairs[2];
    assert_eq!((same.test.pairs, same.corrected), (0, 1.0));
    assert_eq!(same.wins_ties_losses, Some([0, 8, 0]));
    assert_eq!(same.within[0].unwrap().superiority, 0.5);
    // Ranks: 1, 2½, 2½ on seven datasets, 2, 2, 2 on one.
    let ranks = &of_level.ranking.test.as_ref().unwrap().friedman.mean_ranks;
    assert_eq!(*ranks, [9.0 / 8.0, 19.5 / 8.0, 19.5 / 8.0]);
}

/// A failed repeat of one method takes its dataset out of the pairs with it and of the ranks, and nothing else; within
/// the dataset the other repeats are compared, and counted.
#[test]
fn incomplete_datasets_are_left_out_and_named() {
    let mut rows = run(&few(), 3);
    let place = rows
        .iter()
        .position(|row| row.dataset == few().datasets[2] && row.method == "rff" && row.level == 0.5)
        .unwrap();
    let check = |rows: &[CellRow]| {
        let all = statistics(rows, &few(), 3, SEED);
        let of_level = at(&all, CompareMetric::AttackError, 0.5);
        let left_out: Vec<&[usize]> = of_level.pairs.iter().map(|p| &*p.left_out).collect();
        assert_eq!(left_out, [&[2][..], &[2], &[]]);
        assert_eq!(of_level.ranking.left_out, [2]);
        assert_eq!(of_level.ranking.datasets, [0, 1, 3, 4, 5, 6, 7]);
        assert_eq!(of_level.ranking.test.as_ref().unwrap().friedman.datasets, 7);
        let within = of_level.pairs[0].within[2].unwrap();
        assert_eq!((within.test.repeats, within.planned), (2, 3));
        assert!(!within.complete() && of_level.pairs[2].within[2].unwrap().complete());
        assert_eq!(
            of_level.pairs[0].lower_equal_higher.iter().sum::<usize>(),
            7
        );
        let other = at(&all, CompareMetric::CleanError, 0.0);
        assert!(other.ranking.left_out.is_empty());
    };
    rows[place].status = Status::Failed;
    check(&rows);
    // A cell that was never run is missing as well, though no row says so.
    rows.remove(place);
    check(&rows);
}

#[test]
fn few_datasets_are_not_ranked() {
    for (datasets, methods, ranked) in [(2, 3, false), (3, 2, false), (3, 3, true)] {
        let axes = Axes {
            methods: few().methods[..methods].to_vec(),
            ..Axes {
                levels: vec![0.5],
                ..axes(datasets)
            }
        };
        let all = statistics(&run(&axes, 3), &axes, 3, SEED);
        assert!(all.iter().all(|s| s.ranking.test.is_some() == ranked));
        assert!(all.iter().all(|s| s.ranking.intervals.is_none()));
        assert!(all.iter().all(|s| s.ranking.means.is_some()));
    }
}

/// What does not depend on which of two is named first.
fn mirrored(pair: &Pair) -> (Option<f64>, f64, f64, [usize; 3]) {
    let [lower, equal, higher] = pair.lower_equal_higher;
    let difference = pair.mean_difference.map(|d| -d);
    (
        difference,
        pair.test.two_sided,
        pair.corrected,
        [higher, equal, lower],
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// The order of rows and of methods does not matter: pairs turn round and ranks move with their methods.
    #[test]
    fn names_and_order_do_not_matter(errors in prop::collection::vec(0_u8..12, 8 * 3 * 3)) {
        let axes = Axes { levels: vec![0.5], ..few() };
        let mut rows = run(&axes, 3);
        for (row, error) in rows.iter_mut().zip(&errors) {
            row.measurement.as_mut().unwrap().certified_error = f64::from(*error) / 12.0;
        }
        let all = statistics(&rows, &axes, 3, SEED);
        let reversed = Axes { methods: axes.methods.iter().rev().cloned().collect(), ..axes.clone() };
        rows.reverse();
        prop_assert_eq!(&statistics(&rows, &axes, 3, SEED), &all);
        let turned = statistics(&rows, &reversed, 3, SEED);
        let metric = CompareMetric::CertifiedError;
        let (all, turned) = (at(&all, metric, 0.5), at(&turned, metric, 0.5));
        for pair in &all.pairs {
            let methods = [2 - pair.methods[1], 2 - pair.methods[0]];
            let other = turned.pairs.iter().find(|p| p.methods == methods).unwrap();
            let (difference, p, corrected, counts) = mirrored(other);
            prop_assert!((pair.mean_difference.unwrap() - difference.unwrap()).abs() < 1e-14);
            prop_assert!((pair.test.two_sided - p).abs() < 1e-14);
            prop_assert!((pair.corrected - corrected).abs() < 1e-13);
            prop_assert_eq!(pair.lower_equal_higher, counts);
            for p in [pair.test.two_sided, pair.corrected] {
                prop_assert!((0.0..=1.0).contains(&p));
            }
            prop_assert!(pair.corrected >= pair.test.two_sided);
        }
        let ranks = |s: &LevelStatistics| s.ranking.test.as_ref().unwrap().friedman.mean_ranks.clone();
        let mut back = ranks(turned);
        back.reverse();
        prop_assert_eq!(ranks(all), back);
        prop_assert!((ranks(all).iter().sum::<f64>() - 6.0).abs() < 1e-12);
    }
}

#[test]
fn the_seed_moves_bootstrap_intervals_and_nothing_else() {
    let rows = run(&few(), 3);
    let (first, second) = (
        statistics(&rows, &few(), 3, 1),
        statistics(&rows, &few(), 3, 2),
    );
    let interval = |s: &[LevelStatistics]| s[1].pairs[0].interval.unwrap();
    assert_ne!(interval(&first), interval(&second));
    assert_eq!(first[1].pairs[0].test, second[1].pairs[0].test);
    assert_eq!(first[1].ranking.test, second[1].ranking.test);
}
