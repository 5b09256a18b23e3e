//! What solutions tell of the way there: bounds on the optimum that never get worse and end with what is certified.

mod common;

use common::local::setting;
use common::{Data, gaussians, normals, nystrom_like};
use ndarray::Array2;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::features::FeatureMap;
use robust_svm_core::penalty::PenaltyMatrix;
use robust_svm_core::uncertainty::Norm;
use robust_svm_solvers::{
    BundleSettings, DualCoordinateSettings, Intercept, InteriorPointSettings, LocalPenalty,
    Solution, SublinearProblem, TracePoint, solve, solve_bundle, solve_dual_coordinate, solve_from,
    solve_local,
};

/// Rounding of a method's own sums beside those of the certificate.
const ROUNDING: f64 = 1e-9;

/// The trace of a solution with `(iterations, P, D)`, beside `(P, D)` of one by another method or start.
fn check(
    trace: &[TracePoint],
    (iterations, objective, dual): (usize, f64, f64),
    other: (f64, f64),
) -> Result<(), TestCaseError> {
    let last = trace.last().expect("a point at least");
    prop_assert_eq!(last.iteration, iterations);
    prop_assert_eq!((last.objective, last.dual_objective), (objective, dual));
    let rounding = ROUNDING * objective;
    for point in trace {
        prop_assert!(point.objective >= other.1 - rounding, "{:?}", point);
        prop_assert!(point.dual_objective <= other.0 + rounding, "{:?}", point);
        let gap = (point.objective - point.dual_objective) / point.objective;
        prop_assert!((point.relative_gap.value() - gap.max(0.0)).abs() <= 1e-15);
    }
    for pair in trace.windows(2) {
        prop_assert!(pair[1].iteration > pair[0].iteration);
        prop_assert!(pair[1].objective <= pair[0].objective + rounding);
        prop_assert!(pair[1].dual_objective >= pair[0].dual_objective - rounding);
    }
    Ok(())
}

fn values(solution: &Solution) -> (usize, f64, f64) {
    (
        solution.iterations,
        solution.objective,
        solution.dual_objective,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// As given, in the span of the rows, in the axes of a dense A, and from a start nearby.
    #[test]
    fn of_interior_points(
        seed in any::<u64>(), rows in 4..60_usize, dim in 2..80_usize, gamma in 0.0..1.0_f64, matrix in 0..3_usize,
        log_lambda in -2.0..1.0_f64,
    ) {
        let mut data = gaussians(seed, (rows, dim), 2.0, 0.5, gamma);
        match matrix {
            1 => nystrom_like(&mut data),
            2 => {
                let a: Array2<f64> = normals(&mut ChaCha20Rng::seed_from_u64(seed), (dim, dim));
                data.penalty.matrix = PenaltyMatrix::Dense(a * 0.2);
            }
            _ => {}
        }
        let problem = data.problem(10.0_f64.powf(log_lambda));
        let settings = InteriorPointSettings::default();
        let found = solve(&problem, &settings).unwrap();
        let previous = solve(&data.problem(1.6 * problem.lambda()), &settings).unwrap();
        let warm = solve_from(&problem, &settings, &previous).unwrap();
        check(&found.trace, values(&found), (warm.objective, warm.dual_objective))?;
        prop_assert!(warm.trace.last().unwrap().iteration <= warm.iterations);
        let ended = (warm.trace.last().unwrap().iteration, warm.objective, warm.dual_objective);
        check(&warm.trace, ended, (found.objective, found.dual_objective))?;
    }

    /// Tight tolerances end with Newton's steps.
    #[test]
    fn of_coordinate_descent_and_its_finish(
        seed in any::<u64>(), rows in 20..200_usize, dim in 2..40_usize, gamma in 0.0..0.5_f64, log_lambda in -2.0..1.0_f64,
        log_tolerance in -9.0..-3.0_f64,
    ) {
        let mut data = gaussians(seed, (rows, dim), 2.0, 0.5, 0.0);
        data.penalty.radii.fill(gamma);
        let problem = data.problem(10.0_f64.powf(log_lambda)).with_intercept(Intercept::Penalised);
        let settings = DualCoordinateSettings {
            tolerance: 10.0_f64.powf(log_tolerance),
            ..DualCoordinateSettings::new(ChaCha20Rng::seed_from_u64(seed))
        };
        let found = solve_dual_coordinate(&problem, &settings).unwrap();
        let other = solve(&problem, &InteriorPointSettings::default()).unwrap();
        check(&found.trace, values(&found), (other.objective, other.dual_objective))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn of_cutting_planes(
        seed in any::<u64>(), rows in 6..30_usize, dim in 2..8_usize, gamma in 0.05..0.5_f64, log_lambda in -1.0..1.0_f64,
    ) {
        let data: Data = gaussians(seed, (rows, dim), 2.0, 0.5, gamma);
        let problem = data.problem(10.0_f64.powf(log_lambda));
        let other = solve(&problem, &InteriorPointSettings::default()).unwrap();
        let problem = SublinearProblem::new(data.phi.view(), data.y.view(), &data.penalty, problem.lambda()).unwrap();
        let found = solve_bundle(&problem, &BundleSettings::default()).unwrap();
        let ended = (found.iterations, found.objective, found.dual_objective);
        check(&found.trace, ended, (other.objective, other.dual_objective))?;
    }

    /// Many cones, and linear models that need one.
    #[test]
    fn of_local_bounds(seed in any::<u64>(), rows in 6..30_usize, kind in 0..2_usize, log_lambda in -1.0..1.0_f64) {
        let setting = setting(seed, (rows, 2), kind, Norm::Two, true, 0.2);
        let phi = setting.features.transform(setting.x.view());
        let penalty = LocalPenalty::new(&setting.features, &setting.sets, setting.x.view(), setting.gamma).unwrap();
        let lambda = 10.0_f64.powf(log_lambda);
        let settings = InteriorPointSettings::default();
        let found = solve_local(phi.view(), setting.y.view(), &penalty, lambda, Intercept::Free, &settings).unwrap();
        let problem = SublinearProblem::new(phi.view(), setting.y.view(), &penalty, lambda).unwrap();
        let other = solve_bundle(&problem, &BundleSettings::default()).unwrap();
        let ended = (found.iterations, found.objective, found.dual_objective);
        check(&found.trace, ended, (other.objective, other.dual_objective))?;
    }
}
