//! What stands in the rows of a run, and what holds between them.

use crate::support::{OTHER_METHODS, SMALL, Workspace, replaced};
use robust_svm_harness::store::{CellRow, Measurement, Status};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Both datasets, all methods, three levels, two repeats; several λ and σ to choose from.
static ROWS: LazyLock<Vec<CellRow>> = LazyLock::new(|| {
    let workspace = Workspace::new();
    let both = replaced(SMALL, "\"blobs\"", "\"blobs\", \"rings\"");
    let grid = replaced(&both, "times_median = [1.0]", "times_median = [0.5, 1.0]");
    let levels = replaced(&grid, "[0.0, 0.3]", "[0.0, 0.15, 0.4]");
    let nearest = replaced(&levels, "norm = 2", "per_sample = \"nearest-neighbour\"");
    workspace.write("small.toml", &(nearest + OTHER_METHODS));
    workspace.run_well(&[]);
    workspace.rows("results/small")
});

const DATASETS: [&str; 2] = ["blobs", "rings"];
const LEVELS: [f64; 3] = [0.0, 0.15, 0.4];
/// Name, nominal counterpart, bound, and features of 16 random ones and 12 landmarks.
type Method = (
    &'static str,
    Option<&'static str>,
    Option<&'static str>,
    Option<u32>,
);
const METHODS: [Method; 7] = [
    ("linear", None, None, Some(3)),
    ("robust-linear", Some("linear"), Some("exact"), Some(3)),
    ("rff", None, None, Some(16)),
    ("robust-rff", Some("rff"), Some("geodesic"), Some(16)),
    ("nystrom", None, None, Some(12)),
    (
        "robust-nystrom",
        Some("nystrom"),
        Some("projection"),
        Some(12),
    ),
    ("kernel-svm", None, None, None),
];

fn numbers(row: &CellRow) -> &Measurement {
    row.measurement.as_ref().expect("every cell is measured")
}

fn cell(dataset: &str, method: &str, level: f64, repeat: u32) -> &'static CellRow {
    let wanted = |row: &&CellRow| {
        (&*row.dataset, &*row.method, row.level, row.repeat) == (dataset, method, level, repeat)
    };
    let mut found = ROWS.iter().filter(wanted);
    let row = found.next().expect("every cell has a row");
    assert!(found.next().is_none(), "{row:?} is there twice");
    row
}

#[test]
fn every_cell_has_one_row() {
    assert_eq!(
        ROWS.len(),
        DATASETS.len() * METHODS.len() * LEVELS.len() * 2
    );
    for dataset in DATASETS {
        for (method, ..) in METHODS {
            for level in LEVELS {
                for repeat in 0..2 {
                    assert_eq!(cell(dataset, method, level, repeat).status, Status::Ok);
                }
            }
        }
    }
}

#[test]
fn rows_are_sorted_by_an_id_of_their_own() {
    assert!(
        ROWS.windows(2)
            .all(|pair| pair[0].cell_id < pair[1].cell_id)
    );
    let seeds: BTreeSet<u64> = ROWS.iter().map(|row| row.seed).collect();
    assert_eq!(
        seeds.len(),
        4,
        "a seed each dataset and repeat, none a method"
    );
}

#[test]
fn columns_are_null_where_a_method_has_no_such_number() {
    for (method, _, bound, feature_dim) in METHODS {
        for row in ROWS.iter().filter(|row| row.method == method) {
            let m = numbers(row);
            assert_eq!(m.bound.as_deref(), bound, "{method}");
            assert_eq!(m.feature_dim, feature_dim, "{method}");
            assert_eq!(m.sigma.is_none(), method.ends_with("linear"), "{method}");
            assert_eq!(m.n_features, 3);
            let kernel = method == "kernel-svm";
            assert_eq!(
                m.solver,
                if kernel {
                    "linfa-svm"
                } else {
                    "interior-point"
                }
            );
            if !kernel {
                assert!(m.iterations.is_some(), "{row:?}");
            }
        }
    }
}

#[test]
fn parts_have_their_shares_of_the_rows() {
    for row in ROWS.iter() {
        let m = numbers(row);
        let total = if row.dataset == "blobs" { 90 } else { 100 };
        assert_eq!(m.n_train + m.n_validation + m.n_test, total);
        assert!((f64::from(m.n_train) / f64::from(total) - 0.6).abs() < 0.03);
        assert!((f64::from(m.n_test) / f64::from(total) - 0.2).abs() < 0.03);
    }
}

#[test]
fn nominal_methods_are_trained_at_level_0_and_robust_ones_at_their_own() {
    for (method, _, bound, _) in METHODS {
        for row in ROWS.iter().filter(|row| row.method == method) {
            let expected = if bound.is_some() { row.level } else { 0.0 };
            assert_eq!(row.train_level, expected, "{row:?}");
            let mean = numbers(row).gamma_mean;
            assert!((mean - expected).abs() <= 1e-12, "{row:?}");
        }
    }
}

#[test]
fn the_attack_is_below_the_certificate() {
    for row in ROWS.iter() {
        let m = numbers(row);
        for share in [
            m.accuracy,
            m.noisy_accuracy,
            m.attack_error,
            m.certified_error,
        ] {
            assert!((0.0..=1.0).contains(&share), "{row:?}");
        }
        assert!(m.attack_error <= m.certified_error, "{row:?}");
        assert!(1.0 - m.accuracy <= m.attack_error + 1e-12, "{row:?}");
        assert!(
            1.0 - m.noisy_accuracy <= m.certified_error + 1e-12,
            "{row:?}"
        );
        if row.level == 0.0 {
            assert!(
                (1.0 - m.accuracy - m.certified_error).abs() <= 1e-12,
                "{row:?}"
            );
        }
    }
}

#[test]
fn the_attack_meets_the_certificate_of_linear_models() {
    for row in ROWS.iter().filter(|row| row.method.ends_with("linear")) {
        let m = numbers(row);
        assert_eq!(m.attack_error, m.certified_error, "{row:?}");
    }
}

#[test]
fn objectives_are_certified() {
    for row in ROWS.iter() {
        let m = numbers(row);
        let limit = if m.solver == "interior-point" {
            1e-8
        } else {
            1e-4
        };
        assert!((0.0..=limit).contains(&m.relative_gap), "{row:?}");
        assert!(m.dual_objective <= m.objective * (1.0 + 1e-12), "{row:?}");
        let gap = (m.objective - m.dual_objective).max(0.0) / m.objective;
        assert!((gap - m.relative_gap).abs() <= 1e-12, "{row:?}");
    }
}

#[test]
fn robust_methods_at_level_0_are_their_nominal_counterparts() {
    for (robust, nominal, ..) in METHODS {
        let Some(nominal) = nominal else { continue };
        for dataset in DATASETS {
            for repeat in 0..2 {
                let robust = numbers(cell(dataset, robust, 0.0, repeat));
                let nominal = numbers(cell(dataset, nominal, 0.0, repeat));
                let difference = (robust.objective - nominal.objective).abs();
                assert!(difference <= 1e-8 * nominal.objective);
                assert_eq!(robust.lambda, nominal.lambda);
                assert_eq!(robust.sigma, nominal.sigma);
                assert_eq!(robust.accuracy, nominal.accuracy);
            }
        }
    }
}

#[test]
fn nonlinear_methods_learn_what_linear_ones_cannot() {
    let mean = |method: &str| {
        let accuracy = |repeat| numbers(cell("rings", method, 0.0, repeat)).accuracy;
        f64::midpoint(accuracy(0), accuracy(1))
    };
    for method in ["rff", "nystrom", "kernel-svm"] {
        assert!(
            mean(method) > mean("linear"),
            "{method}: {} and {}",
            mean(method),
            mean("linear")
        );
    }
}

/// One λ and one σ: every nominal method has one model for all levels.
#[test]
fn more_uncertainty_is_never_certified_better() {
    let workspace = Workspace::new();
    let levels = [0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6];
    let grid = replaced(
        SMALL,
        "levels = [0.0, 0.3]",
        &format!("levels = {levels:?}"),
    );
    let one = replaced(&grid, "lambda = [0.1, 1.0]", "lambda = [0.5]");
    workspace.write("small.toml", &(one + OTHER_METHODS));
    workspace.run_well(&[]);
    let rows = workspace.rows("results/small");
    for (method, ..) in METHODS.iter().filter(|(_, _, bound, _)| bound.is_none()) {
        for repeat in 0..2 {
            let at = |level: f64| {
                let is_it = |row: &&CellRow| {
                    (&*row.method, row.level, row.repeat) == (*method, level, repeat)
                };
                numbers(rows.iter().find(is_it).expect("every cell has a row"))
            };
            for pair in levels.windows(2) {
                let (lower, higher) = (at(pair[0]), at(pair[1]));
                assert_eq!(lower.objective, higher.objective, "{method}: one model");
                assert_eq!(lower.accuracy, higher.accuracy, "{method}: one model");
                assert!(
                    lower.certified_error <= higher.certified_error,
                    "{method} {pair:?}"
                );
            }
            let ends = (at(0.0).certified_error, at(1.6).certified_error);
            assert!(ends.0 < ends.1, "{method}: {ends:?} says nothing");
        }
    }
}

/// The objective is a maximum over the set, which grows with the level.
#[test]
fn more_uncertainty_costs_more_to_be_robust_against() {
    let workspace = Workspace::new();
    let one = replaced(SMALL, "lambda = [0.1, 1.0]", "lambda = [0.5]");
    let grid = replaced(&one, "[0.0, 0.3]", "[0.0, 0.1, 0.2, 0.4]");
    workspace.write("small.toml", &(grid + OTHER_METHODS));
    workspace.run_well(&[]);
    for (method, ..) in METHODS.iter().filter(|(_, _, bound, _)| bound.is_some()) {
        for repeat in 0..2 {
            let mut rows = workspace.rows("results/small");
            rows.retain(|row| row.method == *method && row.repeat == repeat);
            rows.sort_by(|a, b| a.level.total_cmp(&b.level));
            assert_eq!(rows.len(), 4);
            for pair in rows.windows(2) {
                let (lower, higher) = (numbers(&pair[0]), numbers(&pair[1]));
                assert!(lower.objective < higher.objective, "{method}");
            }
        }
    }
}

#[test]
fn noise_is_of_the_cells_level() {
    let differs = |row: &&CellRow| numbers(row).noisy_accuracy != numbers(row).accuracy;
    for level in LEVELS {
        let found = ROWS
            .iter()
            .filter(|row| row.level == level)
            .any(|r| differs(&r));
        assert_eq!(found, level > 0.0, "level {level}");
    }
}

/// A nominal method has the same candidates at every level: what changes is by which certificate they are
/// judged.
#[test]
fn the_selection_is_made_at_the_cells_level() {
    let chosen = |dataset, method, level, repeat| {
        let m = numbers(cell(dataset, method, level, repeat));
        (m.lambda, m.sigma)
    };
    let nominal = METHODS.iter().filter(|(_, _, bound, _)| bound.is_none());
    let moved = nominal
        .flat_map(|(method, ..)| DATASETS.map(|dataset| (dataset, *method)))
        .flat_map(|(dataset, method)| [(dataset, method, 0), (dataset, method, 1)])
        .filter(|&(d, m, repeat)| chosen(d, m, 0.0, repeat) != chosen(d, m, 0.4, repeat));
    assert!(moved.count() > 0, "every level has the model of level 0");
}

/// Frequencies and landmarks can be had in other ways: each runs, in nominal and robust methods, and is
/// another map than the default.
#[test]
fn every_way_to_draw_a_map_is_its_own() {
    let workspace = Workspace::new();
    let ways = [
        ("rff", "map = \"rff\", dim = 16", "geodesic"),
        (
            "orthogonal",
            "map = \"rff\", dim = 16, frequencies = \"orthogonal\"",
            "geodesic",
        ),
        (
            "structured",
            "map = \"rff\", dim = 16, frequencies = \"structured\"",
            "geodesic",
        ),
        ("uniform", "map = \"nystrom\", landmarks = 12", "projection"),
        (
            "centres",
            "map = \"nystrom\", landmarks = 12, choose = \"k-means\"",
            "projection",
        ),
        (
            "leverage",
            "map = \"nystrom\", landmarks = [6, 12], choose = \"leverage\"",
            "paper",
        ),
    ];
    let methods: Vec<String> = ways
        .iter()
        .map(|(name, features, bound)| {
            format!(
                "\n[[method]]\nname = \"{name}\"\nfeatures = {{ {features} }}\nbound = \"{bound}\"\n\
                 solver = \"interior-point\"\n"
            )
        })
        .collect();
    let sigma = replaced(SMALL, "times_median = [1.0]", "times_median = [0.5, 1.0]");
    workspace.write("small.toml", &(sigma + &methods.concat()));
    workspace.run_well(&[]);
    let rows = workspace.rows("results/small");
    let objectives: BTreeSet<u64> = rows
        .iter()
        .filter(|row| row.repeat == 0 && row.level == 0.3)
        .filter(|row| ways.iter().any(|(name, ..)| *name == row.method))
        .map(|row| numbers(row).objective.to_bits())
        .collect();
    assert!(rows.iter().all(|row| row.status == Status::Ok));
    assert_eq!(objectives.len(), ways.len());
}
