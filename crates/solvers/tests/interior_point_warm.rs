//! Solves that start near the solution of another problem.

mod common;

use approx::assert_relative_eq;
use common::{INTERCEPTS, gaussians, nystrom_like};
use proptest::prelude::*;
use robust_svm_solvers::{InteriorPointSettings, SolverError, Status, solve, solve_from};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    /// From the solution of a problem with any other λ, Γ and rule for b: the gap of a start without it, and its value.
    #[test]
    fn any_start_reaches_the_gap(
        seed in any::<u64>(), rows in 12..80_usize, dim in 1..12_usize, separation in 0.0..8.0_f64,
        gammas in (prop_oneof![Just(0.0), 1e-3..3.0_f64], prop_oneof![Just(0.0), 1e-3..3.0_f64]),
        logs in (-3.0..3.0_f64, -3.0..3.0_f64), diagonal in any::<bool>(),
        rules in (prop::sample::select(INTERCEPTS), prop::sample::select(INTERCEPTS)),
    ) {
        let mut from = gaussians(seed, (rows, dim), separation, 0.5, gammas.0);
        let mut to = gaussians(seed, (rows, dim), separation, 0.5, gammas.1);
        if diagonal {
            nystrom_like(&mut from);
            nystrom_like(&mut to);
        }
        let settings = InteriorPointSettings::default();
        let from = from.problem(10.0_f64.powf(logs.0)).with_intercept(rules.0);
        let to = to.problem(10.0_f64.powf(logs.1)).with_intercept(rules.1);
        let previous = solve(&from, &settings).unwrap();
        let warm = solve_from(&to, &settings, &previous).unwrap();
        let cold = solve(&to, &settings).unwrap();
        prop_assert!(warm.relative_gap.value() <= 1e-8, "{:?}", warm.status);
        assert_relative_eq!(warm.objective, cold.objective, max_relative = 2e-8);
    }
}

#[test]
fn a_path_takes_fewer_iterations() {
    for gamma in [0.0, 0.2] {
        let data = gaussians(3, (300, 12), 2.0, 0.5, gamma);
        let settings = InteriorPointSettings::default();
        let (mut cold, mut warm) = (0, 0);
        let mut previous = solve(&data.problem(100.0), &settings).unwrap();
        for k in 1..20 {
            let problem = data.problem(10.0_f64.powf(2.0 - 4.0 * f64::from(k) / 19.0));
            cold += solve(&problem, &settings).unwrap().iterations;
            previous = solve_from(&problem, &settings, &previous).unwrap();
            warm += previous.iterations;
        }
        assert!(10 * warm < 9 * cold, "{warm} {cold}");
    }
}

/// Too few iterations for a start from afar leave what the near start reached, and both are counted.
#[test]
fn the_better_of_two_starts_is_kept() {
    let data = gaussians(3, (300, 12), 2.0, 0.5, 0.2);
    let problem = data.problem(1.0);
    let previous = solve(&problem, &InteriorPointSettings::default()).unwrap();
    let settings = InteriorPointSettings {
        max_iterations: 3,
        ..InteriorPointSettings::default()
    };
    let cold = solve(&problem, &settings).unwrap();
    let warm = solve_from(&problem, &settings, &previous).unwrap();
    assert_eq!(warm.status, Status::IterationLimit);
    assert_eq!(warm.iterations, 6);
    assert!(
        warm.relative_gap < cold.relative_gap,
        "{} {}",
        warm.relative_gap,
        cold.relative_gap
    );
}

#[test]
fn a_solution_of_other_rows_is_refused() {
    let settings = InteriorPointSettings::default();
    let (data, other) = (
        gaussians(3, (30, 4), 2.0, 0.5, 0.0),
        gaussians(3, (31, 4), 2.0, 0.5, 0.0),
    );
    let previous = solve(&other.problem(1.0), &settings).unwrap();
    let error = solve_from(&data.problem(1.0), &settings, &previous);
    assert!(matches!(
        error,
        Err(SolverError::Shape {
            expected: 30,
            found: 31,
            ..
        })
    ));
}
