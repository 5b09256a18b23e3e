//! Sets of other norms and shapes, features of the other form, and bandwidths by the rule, in runs.

use crate::support::{OTHER_METHODS, SMALL, Workspace, replaced};
use robust_svm_harness::store::{CellRow, Measurement, Status};

fn numbers(row: &CellRow) -> &Measurement {
    row.measurement.as_ref().expect("every cell is measured")
}

fn run(text: &str) -> Vec<CellRow> {
    let workspace = Workspace::new();
    workspace.write("small.toml", text);
    workspace.run_well(&[]);
    workspace.rows("results/small")
}

/// Every method, or all but the robust linear one, whose bound is for one shape at p = 2.
fn with_sets(lines: &str, linear: bool) -> Vec<CellRow> {
    let text = replaced(SMALL, "norm = 2", lines) + OTHER_METHODS;
    let text = replaced(&text, "[0.0, 0.3]", "[0.0, 0.05]");
    if linear {
        run(&text)
    } else {
        run(&replaced(&text, "bound = \"exact\"\n", ""))
    }
}

/// `(attack, certified)` of each measured cell, in the order of the rows.
fn brackets(rows: &[CellRow]) -> Vec<(f64, f64)> {
    let bracket = |row: &CellRow| {
        let m = numbers(row);
        (m.attack_error, m.certified_error)
    };
    rows.iter().map(bracket).collect()
}

#[test]
fn every_norm_and_shape_is_run_and_each_is_another_set() {
    let sets = [
        ("norm = 2", true),
        ("norm = 1", false),
        ("norm = \"infinity\"", false),
        ("shape = \"diagonal\"\nscales = [0.1, 3.0, 0.5]", true),
        ("shape = \"box\"\nscales = [0.1, 3.0, 0.5]", false),
        (
            "shape = \"full\"\nnorm = 1\ncovariance = \"training\"",
            false,
        ),
        (
            "shape = \"full\"\nmatrix = [[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.1]]",
            true,
        ),
        ("per_sample = \"nearest-neighbour-features\"", false),
        ("per_sample = \"nearest-neighbour\"\nshape = \"box\"", false),
    ];
    let mut objectives: Vec<u64> = Vec::new();
    for (lines, linear) in sets {
        let rows = with_sets(lines, linear);
        for row in &rows {
            assert_eq!(row.status, Status::Ok, "{lines}: {row:?}");
            let m = numbers(row);
            assert!(m.attack_error <= m.certified_error, "{lines}: {row:?}");
            if row.method.ends_with("linear") {
                assert_eq!(m.attack_error, m.certified_error, "{lines}: {row:?}");
            }
            assert!(
                (m.gamma_mean - row.train_level).abs() < 1e-12,
                "{lines}: {row:?}"
            );
        }
        let robust =
            |row: &&CellRow| row.method == "robust-rff" && row.level == 0.05 && row.repeat == 0;
        let row = rows.iter().find(robust).unwrap();
        objectives.push(numbers(row).objective.to_bits());
    }
    objectives.sort_unstable();
    objectives.dedup();
    assert_eq!(objectives.len(), sets.len());
}

/// A cube holds the ball, and the ball the cross-polytope, of one γ.
#[test]
fn sets_that_hold_others_cost_more() {
    let rows: Vec<Vec<CellRow>> = ["norm = 1", "norm = 2", "norm = \"infinity\""]
        .iter()
        .map(|norm| {
            let text = replaced(SMALL, "norm = 2", norm);
            let one = replaced(&text, "lambda = [0.1, 1.0]", "lambda = [0.5]");
            run(&replaced(&one, "bound = \"geodesic\"\n", ""))
        })
        .collect();
    let brackets: Vec<_> = rows.iter().map(|rows| brackets(rows)).collect();
    let mut larger = 0;
    for ((small, middle), large) in brackets[0].iter().zip(&brackets[1]).zip(&brackets[2]) {
        assert!(small.0 <= middle.1 && middle.0 <= large.1);
        larger += usize::from(small.1 < middle.0) + usize::from(middle.1 < large.0);
    }
    assert!(larger > 0, "the norms make no difference");
}

/// `box` is the diagonal of norm infinity, and Σ = I the ball.
#[test]
fn the_same_set_in_other_words_gives_the_same_rows() {
    let scales = "scales = [0.5, 1.0, 2.0]";
    let boxed = with_sets(&format!("shape = \"box\"\n{scales}"), false);
    let diagonal = format!("norm = \"infinity\"\nshape = \"diagonal\"\n{scales}");
    assert_eq!(boxed, with_sets(&diagonal, false));
    let identity = "shape = \"full\"\nmatrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]";
    let (full, ball) = (with_sets(identity, true), with_sets("norm = 2", true));
    for (full, ball) in full.iter().zip(&ball) {
        let (m, n) = (numbers(full), numbers(ball));
        assert_eq!(m.certified_error, n.certified_error, "{full:?} {ball:?}");
        assert!(
            (m.objective - n.objective).abs() <= 1e-6 * n.objective,
            "{full:?} {ball:?}"
        );
    }
}

#[test]
fn phased_features_have_any_dimension() {
    for (frequencies, bound) in [
        ("gaussian", "geodesic"),
        ("gaussian", "arcs"),
        ("orthogonal", "geodesic"),
        ("orthogonal", "best"),
    ] {
        let phased = format!("dim = [9, 15], form = \"phased\", frequencies = \"{frequencies}\"");
        let text = replaced(SMALL, "dim = 16", &phased);
        let rows = run(&replaced(&text, "\"geodesic\"", &format!("\"{bound}\"")));
        for row in rows.iter().filter(|row| row.method == "robust-rff") {
            let m = numbers(row);
            assert!([Some(9), Some(15)].contains(&m.feature_dim), "{row:?}");
            assert!(m.attack_error <= m.certified_error, "{row:?}");
        }
    }
}

/// σ = k γ √n / θ_max with n = 3: k = 3 for each frequency, and for all J of them Φ^{-1}(1 − η/2J).
#[test]
fn bandwidths_follow_from_the_rule() {
    let sigma = |keys: &str, dim: &str| -> f64 {
        let text = replaced(SMALL, "times_median = [1.0]", keys);
        let rows = run(&replaced(&text, "dim = 16", dim));
        let row = rows.iter().find(|row| row.method == "robust-rff").unwrap();
        assert!(
            rows.iter()
                .all(|row| row.method != "linear" || numbers(row).sigma.is_none())
        );
        numbers(row).sigma.unwrap()
    };
    let near = |found: f64, k: f64, theta: f64| {
        let expected = k * 0.5 * 3.0_f64.sqrt() / theta;
        assert!(
            (found - expected).abs() <= 1e-9 * expected,
            "{found}, not {expected}"
        );
    };
    let rule = "theta_max = [0.8], gamma = 0.5";
    near(sigma(rule, "dim = 16"), 3.0, 0.8);
    near(
        sigma(&format!("{rule}, jointly = false"), "dim = 16"),
        3.0,
        0.8,
    );
    // Normal quantiles at 1 − 0.01/16, 1 − 0.01/128 and 1 − 0.0027/16, by Wichura's algorithm AS 241.
    let joint = |failure: &str| format!("{rule}, jointly = true{failure}");
    near(
        sigma(&joint(", failure = 0.01"), "dim = 16"),
        3.227_218_425_963,
        0.8,
    );
    // Of a list, the largest: 64 phased frequencies.
    let phased = "dim = [7, 64], form = \"phased\"";
    near(
        sigma(&joint(", failure = 0.01"), phased),
        3.780_919_811_295,
        0.8,
    );
    near(sigma(&joint(""), "dim = 16"), 3.584_673_613_453, 0.8);
}
