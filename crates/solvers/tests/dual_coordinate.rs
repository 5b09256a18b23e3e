//! Dual coordinate descent: certified gaps, the interior-point method's optimum, and answers known otherwise.

mod common;

use approx::assert_relative_eq;
use common::{Data, gaussians, nystrom_like};
use ndarray::{Array1, Array2, Axis, array, concatenate, s};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_solvers::certificate::{dual_value, objective};
use robust_svm_solvers::{
    DualCoordinateSettings, Intercept, InteriorPointSettings, Problem, Solution, SolverError,
    Status, solve, solve_dual_coordinate,
};
use sprs::CsMat;

const UNCOUPLED: &[Intercept] = &[Intercept::Penalised, Intercept::None];

fn settings(seed: u64, tolerance: f64) -> DualCoordinateSettings {
    DualCoordinateSettings {
        tolerance,
        max_epochs: 1_000_000,
        rng: ChaCha20Rng::seed_from_u64(seed),
    }
}

/// The solution, and that its certificate is what the problem says of its ζ, b and α.
fn certified(problem: &Problem<'_>, tolerance: f64) -> Solution {
    let solution = solve_dual_coordinate(problem, &settings(1, tolerance)).unwrap();
    let gap = solution.relative_gap.value();
    assert!(gap <= tolerance, "gap {gap:e}, {:?}", solution.status);
    assert_eq!(solution.status, Status::Solved);
    assert!(solution.alpha.iter().all(|a| (0.0..=1.0).contains(a)));
    let primal = objective(problem, solution.zeta.view(), solution.intercept);
    assert_eq!(solution.objective, primal);
    let dual = dual_value(problem, solution.alpha.view()).value;
    assert_eq!(solution.dual_objective, dual);
    solution
}

/// Both methods' intervals [D, P] hold the optimal value.
fn agrees_with_interior_point(problem: &Problem<'_>, solution: &Solution) {
    let other = solve(problem, &InteriorPointSettings::default()).unwrap();
    let rounding = 1e-12 * other.objective;
    assert!(solution.dual_objective <= other.objective + rounding);
    assert!(other.dual_objective <= solution.objective + rounding);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn the_optimum_is_the_interior_points(
        seed in any::<u64>(), rows in 4..120_usize, dim in 1..40_usize,
        separation in 0.0..6.0_f64, positive in 0.05..0.95_f64,
        gamma in prop_oneof![Just(0.0), 1e-3..2.0_f64],
        budget in prop_oneof![2 => Just(0.0), 1 => 1e-3..50.0_f64],
        log_lambda in -2.0..2.0_f64, sparse in any::<bool>(), duplicated in any::<bool>(),
        rule in prop::sample::select(UNCOUPLED), tight in any::<bool>(),
    ) {
        let mut data = gaussians(seed, (rows, dim), separation, positive, 0.0);
        data.penalty.radii.fill(gamma);
        if duplicated {
            data = twice(&data);
        }
        if sparse {
            data.phi.mapv_inplace(|v| if v.abs() < 0.8 { 0.0 } else { v });
        }
        let csr = CsMat::csr_from_dense(data.phi.view(), 0.0);
        let lambda = 10.0_f64.powf(log_lambda);
        let problem = if sparse {
            Problem::new(csr.view(), data.y.view(), &data.penalty, lambda).unwrap()
        } else {
            data.problem(lambda)
        };
        let problem = problem.with_intercept(rule).with_budget(budget).unwrap();
        let solution = certified(&problem, if tight { 1e-6 } else { 1e-4 });
        agrees_with_interior_point(&problem, &solution);
    }
}

fn twice(data: &Data) -> Data {
    let radii = concatenate![Axis(0), data.penalty.radii, data.penalty.radii];
    Data {
        phi: concatenate![Axis(0), data.phi, data.phi],
        y: concatenate![Axis(0), data.y, data.y],
        penalty: FeaturePenalty {
            radii,
            ..data.penalty.clone()
        },
    }
}

/// Two points at ±2, radii Γ, budget c: f = ζx with ζ ≥ 0, b = 0 by symmetry, and margins (2 − Γ)ζ.
/// `P = λζ²/2 + cζ + 2(1 − (2−Γ)ζ)₊` has its minimum at `ζ = min(1/(2−Γ), (2(2−Γ) − c)₊/λ)`.
#[test]
fn a_hand_worked_case() {
    for (lambda, radius, budget) in [
        (1.0, 0.0, 0.0),
        (1.0, 0.5, 0.0),
        (40.0, 0.5, 1.0),
        (100.0, 1.0, 0.5),
        (3.0, 1.9, 0.0),
        (5.0, 1.0, 3.0),
        (1.0, 2.5, 0.0),
    ] {
        let data = Data {
            phi: array![[2.0], [-2.0]],
            y: array![1.0, -1.0],
            penalty: FeaturePenalty {
                radii: array![radius, radius],
                matrix: PenaltyMatrix::Orthogonal,
            },
        };
        let reach = (2.0_f64 - radius).max(0.0);
        let zeta = (1.0 / reach).min((2.0 * reach - budget).max(0.0) / lambda);
        let losses = 2.0 * (1.0 - reach * zeta).max(0.0);
        let value = 0.5 * lambda * zeta * zeta + budget * zeta + losses;
        for &rule in UNCOUPLED {
            let problem = data.problem(lambda).with_intercept(rule);
            let problem = problem.with_budget(budget).unwrap();
            let solution = certified(&problem, 1e-9);
            assert_relative_eq!(solution.objective, value, max_relative = 1e-8);
            assert_relative_eq!(solution.zeta[0], zeta, epsilon = 1e-4);
        }
    }
}

/// One-hot rows of 5 groups, some rows empty, a constant feature, an unused one and one of another scale.
fn one_hot(seed: u64, rows: usize) -> (CsMat<f64>, Array1<f64>) {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut phi = Array2::zeros((rows, 33));
    let mut y = Array1::from_elem(rows, -1.0);
    for i in 0..rows {
        if i % 10 != 3 {
            for group in 0..5 {
                phi[(i, 6 * group + rng.gen_range(0..6))] = 1.0;
            }
            phi[(i, 30)] = 1.0;
            phi[(i, 32)] = 1000.0 * rng.r#gen::<f64>();
        }
        let score: f64 = phi.slice(s![i, ..12]).sum() + phi[(i, 0)] + rng.r#gen::<f64>();
        y[i] = if score > 2.7 || i == 0 { 1.0 } else { -1.0 };
    }
    (CsMat::csr_from_dense(phi.view(), 0.0), y)
}

#[test]
fn one_hot_empty_and_constant() {
    for (seed, gamma) in [(1, 0.0), (2, 0.0), (3, 0.2)] {
        let (phi, y) = one_hot(seed, 400);
        let penalty = FeaturePenalty {
            radii: Array1::from_elem(400, gamma),
            matrix: PenaltyMatrix::Orthogonal,
        };
        for lambda in [1.0, 100.0] {
            for &rule in UNCOUPLED {
                let problem = Problem::new(phi.view(), y.view(), &penalty, lambda).unwrap();
                let problem = problem.with_intercept(rule);
                agrees_with_interior_point(&problem, &certified(&problem, 1e-6));
            }
        }
    }
}

/// Small λ and many samples: epochs alone would take far more than these, so proximal steps end the solve.
#[test]
fn a_small_lambda_is_finished_by_proximal_steps() {
    for (gamma, budget) in [(0.0, 0.0), (0.1, 0.0), (0.05, 3.0)] {
        for &rule in UNCOUPLED {
            let mut data = gaussians(11, (3000, 12), 1.0, 0.4, 0.0);
            data.penalty.radii.fill(gamma);
            let problem = data.problem(1e-3).with_intercept(rule);
            let problem = problem.with_budget(budget).unwrap();
            let solution = certified(&problem, 1e-7);
            assert!(solution.iterations < 400, "{}", solution.iterations);
            agrees_with_interior_point(&problem, &solution);
        }
    }
    let (phi, y) = one_hot(12, 2000);
    let penalty = FeaturePenalty::none(2000);
    let problem = Problem::new(phi.view(), y.view(), &penalty, 1e-3).unwrap();
    let problem = problem.with_intercept(Intercept::Penalised);
    let solution = certified(&problem, 1e-6);
    agrees_with_interior_point(&problem, &solution);
}

/// Without an intercept a row of zeros has the loss 1 whatever ζ is.
#[test]
fn rows_of_zeros_have_the_loss_one() {
    let mut data = gaussians(5, (40, 3), 2.0, 0.5, 0.0);
    let problem = data.problem(1.0).with_intercept(Intercept::None);
    let without = certified(&problem, 1e-8);
    data.phi = concatenate![Axis(0), data.phi, Array2::zeros((7, 3))];
    data.y = concatenate![Axis(0), data.y, Array1::ones(7)];
    data.penalty.radii = Array1::zeros(47);
    let problem = data.problem(1.0).with_intercept(Intercept::None);
    let with = certified(&problem, 1e-8);
    assert!(with.alpha.slice(s![40..]).iter().all(|a| *a == 1.0));
    assert_relative_eq!(with.objective, without.objective + 7.0, max_relative = 2e-8);
}

/// Radii beyond the reach of the classes: ζ = 0, all α = 1 without an intercept, and P = L.
#[test]
fn at_the_apex_of_the_cone() {
    let mut data = gaussians(4, (50, 8), 1.0, 0.3, 0.0);
    data.penalty.radii.fill(100.0);
    let problem = data.problem(1.0).with_intercept(Intercept::None);
    let solution = certified(&problem, 1e-9);
    assert_eq!(solution.objective, 50.0);
    assert!(solution.zeta.iter().all(|ζ| *ζ == 0.0));
}

#[test]
fn a_seed_gives_its_bits_and_every_seed_the_optimum() {
    let data = gaussians(6, (300, 10), 1.0, 0.4, 0.0);
    let problem = data.problem(0.5).with_intercept(Intercept::Penalised);
    let run = |seed| solve_dual_coordinate(&problem, &settings(seed, 1e-6)).unwrap();
    let first = run(1);
    assert_eq!(first, run(1));
    let second = run(2);
    assert_ne!(first.alpha, second.alpha);
    assert_relative_eq!(first.objective, second.objective, max_relative = 2e-6);
}

/// Rows that are not one behind the other, or in Fortran's order.
#[test]
fn the_layout_of_dense_features_is_free() {
    fn solution<'a>(data: &'a Data, phi: ndarray::ArrayView2<'a, f64>) -> Solution {
        let problem = Problem::new(phi, data.y.view(), &data.penalty, 1.0).unwrap();
        certified(&problem.with_intercept(Intercept::Penalised), 1e-6)
    }
    let data = gaussians(7, (60, 9), 1.0, 0.5, 0.0);
    let same = |a: &Solution, b: &Solution| {
        assert_eq!((&a.zeta, &a.alpha), (&b.zeta, &b.alpha));
    };
    let plain = solution(&data, data.phi.view());
    let columns = data.phi.t().to_owned();
    same(&plain, &solution(&data, columns.t()));
    let wide = concatenate![Axis(1), data.phi, data.phi];
    same(&plain, &solution(&data, wide.slice(s![.., ..9])));
}

/// Features so large that the arithmetic fails leave what is known without them: ζ = 0.
#[test]
fn nothing_is_worse_than_no_weights() {
    for &rule in UNCOUPLED {
        let mut data = gaussians(3, (60, 5), 1.0, 0.5, 0.0);
        data.phi *= 1e80;
        data.penalty.radii.fill(0.1);
        let problem = data.problem(1e-3).with_intercept(rule);
        let problem = problem.with_budget(0.5).unwrap();
        let solution = solve_dual_coordinate(&problem, &settings(1, 1e-6)).unwrap();
        assert!(solution.objective <= 60.0, "{}", solution.objective);
    }
}

#[test]
fn what_it_does_not_take_is_named() {
    let data = gaussians(8, (20, 3), 1.0, 0.5, 0.3);
    let error = |problem: Problem<'_>| {
        let result = solve_dual_coordinate(&problem, &settings(1, 1e-4));
        result.unwrap_err()
    };
    let nominal = data.nominal();
    assert_eq!(error(nominal.problem(1.0)), SolverError::FreeIntercept);
    let radii = data.problem(1.0).with_intercept(Intercept::None);
    assert_eq!(error(radii), SolverError::PenaltyNotUniform);
    // A matters only where it costs something.
    let mut diagonal = nominal;
    nystrom_like(&mut diagonal);
    let problem = diagonal.problem(1.0).with_intercept(Intercept::None);
    certified(&problem, 1e-4);
    let problem = problem.with_budget(1.0).unwrap();
    assert_eq!(error(problem), SolverError::PenaltyNotUniform);
}

#[test]
fn epochs_are_limited_and_what_was_found_is_certified() {
    let data = gaussians(9, (500, 20), 0.5, 0.5, 0.0);
    let problem = data.problem(0.01).with_intercept(Intercept::Penalised);
    let mut settings = settings(1, 1e-6);
    settings.max_epochs = 3;
    let solution = solve_dual_coordinate(&problem, &settings).unwrap();
    assert_eq!(solution.status, Status::IterationLimit);
    assert_eq!(solution.iterations, 3);
    assert!(solution.relative_gap.value() > 1e-6);
    assert!(solution.dual_objective > 0.0);
    agrees_with_interior_point(&problem, &solution);
}
