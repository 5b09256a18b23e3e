//! The stochastic methods: convergence to the optimum of the other solvers with a certified gap, bounds that hold
//! however early they stop, and an independent re-implementation.

mod common;

use approx::assert_relative_eq;
use common::local::setting;
use common::{Data, INTERCEPTS, NORMS, gaussians, normals, nystrom_like, rotations, shapes};
use ndarray::{Array1, Array2, ArrayView1, Axis};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::features::FeatureMap;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use robust_svm_solvers::certificate::{
    sublinear_dual_value, sublinear_objective, sublinear_optimal_intercept, summed_dual_value,
};
use robust_svm_solvers::{
    BundleSettings, Intercept, InteriorPointSettings, LocalPenalty, SolverError, Status, StepRule,
    StochasticMethod, StochasticSettings, StochasticSolution, SublinearPenalty, SublinearProblem,
    SupportPenalty, solve, solve_bundle, solve_stochastic,
};

const METHODS: [StochasticMethod; 2] = [StochasticMethod::Subgradient, StochasticMethod::Proximal];

fn problem<'a>(
    data: &'a Data,
    penalty: &'a dyn SublinearPenalty,
    lambda: f64,
) -> SublinearProblem<'a> {
    SublinearProblem::new(data.phi.view(), data.y.view(), penalty, lambda).unwrap()
}

fn run(
    problem: &SublinearProblem<'_>,
    settings: &StochasticSettings,
    seed: u64,
) -> StochasticSolution {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    solve_stochastic(problem, settings, &mut rng).unwrap()
}

/// How far the certified objective is above the optimum, as a share; the bounds enclose it.
fn excess(found: &StochasticSolution, optimum: f64) -> f64 {
    assert!(found.dual_objective <= optimum * (1.0 + 1e-9));
    assert!(found.objective >= optimum * (1.0 - 1e-9));
    found.objective / optimum - 1.0
}

/// Steps, epochs and the gap they reach on two overlapping classes of 200 samples, λ = 1.
const RULES: [(StepRule, usize, f64); 4] = [
    (StepRule::Pegasos, 400, 2e-3),
    (StepRule::AdaGrad { rate: 0.1 }, 100, 3e-3),
    (StepRule::Constant { rate: 0.01 }, 50, 1e-2),
    (StepRule::Constant { rate: 0.002 }, 300, 1e-3),
];

#[test]
fn every_step_rule_reaches_the_interior_points_optimum() {
    let data = gaussians(1, (200, 6), 2.0, 0.4, 0.2);
    for &rule in INTERCEPTS {
        let one_cone = data.problem(1.0).with_intercept(rule);
        let optimum = solve(&one_cone, &InteriorPointSettings::default()).unwrap();
        let problem = problem(&data, &data.penalty, 1.0).with_intercept(rule);
        for method in METHODS {
            for (step, epochs, tolerance) in RULES {
                let settings = StochasticSettings {
                    method,
                    step,
                    epochs,
                    tolerance,
                    ..StochasticSettings::default()
                };
                let found = run(&problem, &settings, 1);
                let what = format!("{rule:?} {method:?} {step:?}: {}", found.relative_gap);
                assert_eq!(found.status, Status::Solved, "{what}");
                assert!(found.relative_gap.value() <= tolerance, "{what}");
                assert!(excess(&found, optimum.objective) <= tolerance, "{what}");
                assert!(
                    (&found.zeta - &optimum.zeta).iter().all(|d| d.abs() < 0.1),
                    "{what}"
                );
            }
        }
    }
}

#[test]
fn mini_batches_reach_the_same_optimum() {
    let data = gaussians(2, (150, 5), 1.5, 0.5, 0.3);
    let optimum = solve(&data.problem(1.0), &InteriorPointSettings::default()).unwrap();
    let problem = problem(&data, &data.penalty, 1.0);
    // 7 does not divide 150, and 1000 is more than there are.
    for batch in [1, 7, 25, 1000] {
        let settings = StochasticSettings {
            batch,
            epochs: 2000,
            tolerance: 5e-3,
            ..StochasticSettings::default()
        };
        let found = run(&problem, &settings, 1);
        assert_eq!(
            found.status,
            Status::Solved,
            "{batch}: {}",
            found.relative_gap
        );
        assert!(excess(&found, optimum.objective) <= 5e-3);
    }
}

/// p, Σ_i, p̄ and A_i: every penalty to a gap of 5e−3 in 600 epochs.
#[test]
fn every_penalty_is_minimised() {
    let data = gaussians(3, (80, 6), 2.0, 0.5, 0.3);
    let mut nystrom = data.clone();
    nystrom_like(&mut nystrom);
    nystrom.penalty.matrix =
        PenaltyMatrix::Diagonal(Array1::from_iter((1..=6).map(f64::from)) / 6.0);
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let factor = |f| UncertaintySet::new(Norm::Infinity, f).unwrap();
    let full = factor(Factor::Full(normals(&mut rng, (6, 6))));
    let dense = FeaturePenalty {
        matrix: PenaltyMatrix::Dense(normals(&mut rng, (4, 6))),
        ..data.penalty.clone()
    };
    let mut penalties: Vec<Box<dyn SublinearPenalty>> = vec![
        Box::new(FeaturePenalty::none(80)),
        Box::new(data.penalty.clone()),
        Box::new(nystrom.penalty.clone()),
        Box::new(dense),
        Box::new(SupportPenalty {
            sets: full.into(),
            gamma: 0.1,
        }),
    ];
    for norm in NORMS {
        penalties.push(Box::new(rotations(3, &data, norm, 0.2)));
        penalties.push(Box::new(shapes(3, &data, norm, 0.1)));
    }
    for (k, penalty) in penalties.iter().enumerate() {
        let problem = problem(&data, penalty.as_ref(), 1.0);
        let optimum = solve_bundle(&problem, &BundleSettings::default()).unwrap();
        for method in METHODS {
            let settings = StochasticSettings {
                method,
                epochs: 600,
                tolerance: 5e-3,
                ..StochasticSettings::default()
            };
            let found = run(&problem, &settings, 1);
            assert_eq!(
                found.status,
                Status::Solved,
                "{k} {method:?}: {}",
                found.relative_gap
            );
            assert!(found.dual_objective <= optimum.objective * (1.0 + 1e-9));
            assert!(optimum.dual_objective <= found.objective * (1.0 + 1e-9));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    /// However early a run ends and however bad its steps, the optimum is between its bounds, and what it returns
    /// is a feasible dual point: Z is below the sum of the penalties everywhere.
    #[test]
    fn the_gap_is_an_upper_bound(
        seed in any::<u64>(), rows in 4..40_usize, pairs in 1..4_usize, separation in 0.0..6.0_f64,
        log_lambda in -2.0..2.0_f64, norm in prop::sample::select(NORMS.to_vec()), linear in any::<bool>(),
        rule in prop::sample::select(INTERCEPTS), method in prop::sample::select(METHODS.to_vec()),
        steps in 0..3_usize, log_rate in -3.0..0.5_f64, batch in 1..6_usize, epochs in 1..12_usize,
        certify_every in 1..4_usize,
    ) {
        let data = gaussians(seed, (rows, 2 * pairs), separation, 0.4, 0.0);
        let (support, feature);
        let penalty: &dyn SublinearPenalty = if linear {
            support = shapes(seed, &data, norm, 0.3);
            &support
        } else {
            feature = rotations(seed, &data, norm, 0.5);
            &feature
        };
        let lambda = 10.0_f64.powf(log_lambda);
        let problem = problem(&data, penalty, lambda).with_intercept(rule);
        let rate = 10.0_f64.powf(log_rate).min(rows as f64 / lambda);
        let step = [StepRule::Pegasos, StepRule::AdaGrad { rate }, StepRule::Constant { rate }][steps];
        let settings = StochasticSettings { method, step, batch, epochs, certify_every, tolerance: 1e-3 };
        let found = run(&problem, &settings, seed);
        let optimum = solve_bundle(&problem, &BundleSettings::default()).unwrap();
        prop_assert!(found.dual_objective <= optimum.objective * (1.0 + 1e-9));
        prop_assert!(found.objective >= optimum.dual_objective * (1.0 - 1e-9));
        prop_assert!(found.relative_gap.value() >= 0.0);

        prop_assert!(found.alpha.iter().all(|a| (0.0..=1.0).contains(a)));
        let balance = found.alpha.dot(&data.y);
        prop_assert!(rule != Intercept::Free || balance.abs() <= 1e-12 * rows as f64);
        let points = normals(&mut ChaCha20Rng::seed_from_u64(seed), (20, 2 * pairs));
        for zeta in points.outer_iter().chain([found.zeta.view()]) {
            let total = found.alpha.dot(&problem.penalty_values(zeta));
            prop_assert!(found.subgradient.dot(&zeta) <= total + 1e-9 * (1.0 + total));
        }

        // The trace is of certified values, the best so far; it ends with those returned, which alone are computed afresh.
        for (index, pair) in found.trace.windows(2).enumerate() {
            let is_last = index + 2 == found.trace.len();
            let rounding = if is_last { 1e-12 * (1.0 + pair[0].objective) } else { 0.0 };
            prop_assert!(pair[1].objective <= pair[0].objective + rounding);
            prop_assert!(pair[1].dual_objective >= pair[0].dual_objective - rounding);
            prop_assert!(pair[1].iteration > pair[0].iteration);
        }
        let last = found.trace.last().unwrap();
        prop_assert_eq!(last.iteration, found.epochs);
        prop_assert_eq!((last.objective, last.dual_objective), (found.objective, found.dual_objective));
    }

    /// Few samples at a time are what all are.
    #[test]
    fn rows_are_those_of_all(
        seed in any::<u64>(), norm in prop::sample::select(NORMS.to_vec()), kind in 0..6_usize,
        rows in prop::collection::vec(0..9_usize, 0..6),
    ) {
        let mut data = gaussians(seed, (9, 4), 1.0, 0.5, 0.8);
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let turned = rotations(seed, &data, norm, 0.7);
        let each = shapes(seed, &data, norm, 0.7);
        let full = UncertaintySet::new(norm, Factor::Full(normals(&mut rng, (4, 4)))).unwrap();
        let shared = SupportPenalty { sets: full.into(), gamma: 0.3 };
        match kind {
            0 => nystrom_like(&mut data),
            1 => data.penalty.matrix = PenaltyMatrix::Dense(normals(&mut rng, (3, 4))),
            _ => (),
        }
        let penalty: &dyn SublinearPenalty = match kind {
            0..=2 => &data.penalty,
            3 => &turned,
            4 => &each,
            _ => &shared,
        };
        let points = normals(&mut rng, (2, 4));
        let (zeta, weights) = (points.row(0), points.row(1));
        let weights: Vec<f64> = rows.iter().enumerate().map(|(k, _)| weights[k % 4]).collect();
        for penalty in [penalty, &Plain(penalty)] {
            let mut values = vec![0.0; rows.len()];
            penalty.values_of(&rows, zeta, 9, &mut values);
            let all = penalty.values(zeta, 9);
            let mut sum = Array1::ones(4);
            penalty.add_subgradients_of(&rows, &weights, zeta, 9, sum.view_mut());
            let z = penalty.subgradients(zeta, 9).select(Axis(0), &rows);
            let expected = z.t().dot(&Array1::from_vec(weights.clone())) + 1.0;
            for (value, &row) in values.iter().zip(&rows) {
                prop_assert!((value - all[row]).abs() <= 1e-12 * (1.0 + all[row]));
            }
            let scale = 1.0 + expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            prop_assert!((&sum - &expected).iter().all(|d| d.abs() <= 1e-11 * scale), "{sum} {expected}");
        }
    }
}

/// The local bound has no rows of its own: every step asks all samples, and the method is the same.
#[test]
fn the_local_bound_is_minimised() {
    let case = setting(2, (60, 2), 1, Norm::Two, true, 0.3);
    let penalty = LocalPenalty::new(&case.features, &case.sets, case.x.view(), case.gamma).unwrap();
    let phi = case.features.transform(case.x.view());
    let problem = SublinearProblem::new(phi.view(), case.y.view(), &penalty, 0.1).unwrap();
    let optimum = solve_bundle(&problem, &BundleSettings::default()).unwrap();
    for method in METHODS {
        let settings = StochasticSettings {
            method,
            // Features of unit length need larger weights than those of unit variance.
            step: StepRule::AdaGrad { rate: 1.0 },
            epochs: 500,
            ..StochasticSettings::default()
        };
        let found = run(&problem, &settings, 1);
        assert_eq!(found.status, Status::Solved, "{}", found.relative_gap);
        assert!(found.dual_objective <= optimum.objective * (1.0 + 1e-9));
        assert!(optimum.dual_objective <= found.objective * (1.0 + 1e-9));
    }
}

/// A penalty that knows nothing of few samples.
struct Plain<'p>(&'p dyn SublinearPenalty);

impl SublinearPenalty for Plain<'_> {
    fn check(&self, samples: usize, dim: usize) -> Result<(), SolverError> {
        self.0.check(samples, dim)
    }
    fn values(&self, zeta: ArrayView1<'_, f64>, samples: usize) -> Array1<f64> {
        self.0.values(zeta, samples)
    }
    fn subgradients(&self, zeta: ArrayView1<'_, f64>, samples: usize) -> Array2<f64> {
        self.0.subgradients(zeta, samples)
    }
}

/// Proximal Pegasos on single samples, b = 0, as in the textbook, with every α_iz_i kept apart: the last of eight epochs
/// is certified from epochs 4 to 7 (the tail since the last power of two but one).
#[test]
fn a_plain_implementation_agrees() {
    let data = gaussians(4, (12, 4), 1.5, 0.5, 0.0);
    let penalty = rotations(4, &data, Norm::One, 0.3);
    let problem = problem(&data, &penalty, 0.7).with_intercept(Intercept::None);
    let settings = StochasticSettings {
        step: StepRule::Pegasos,
        epochs: 8,
        certify_every: 8,
        ..StochasticSettings::default()
    };
    let found = run(&problem, &settings, 11);

    let mut rng = ChaCha20Rng::seed_from_u64(11);
    let mut order: Vec<usize> = (0..12).collect();
    let mut zeta = Array1::<f64>::zeros(4);
    let (mut mean, mut alpha, mut z) = (
        zeta.clone(),
        Array1::<f64>::zeros(12),
        Array2::zeros((12, 4)),
    );
    let mut t = 0.0;
    for epoch in 0..8 {
        order.shuffle(&mut rng);
        for &i in &order {
            t += 1.0;
            let kept = f64::from(u8::from(epoch >= 4));
            mean.scaled_add(kept / 48.0, &zeta);
            let loss =
                1.0 - data.y[i] * data.phi.row(i).dot(&zeta) + penalty.values(zeta.view(), 12)[i];
            let eta = 12.0 / (0.7 * t);
            let at = penalty.subgradients(zeta.view(), 12).row(i).to_owned();
            if loss > 0.0 {
                alpha[i] += kept / 4.0;
                z.row_mut(i).scaled_add(kept / 4.0, &at);
                zeta.scaled_add(eta * data.y[i], &data.phi.row(i));
                zeta.scaled_add(-eta, &at);
            }
            zeta /= 1.0 + eta * 0.7 / 12.0;
        }
    }
    for (mut z, alpha) in z.outer_iter_mut().zip(&alpha) {
        if *alpha > 0.0 {
            z /= *alpha;
        }
    }
    let dual = sublinear_dual_value(&problem, alpha.view(), z.view());
    // The common factor that is best for D(cα).
    let half_square = alpha.sum() - dual.value;
    let largest = alpha.iter().copied().fold(0.0, f64::max);
    let c = (alpha.sum() / (2.0 * half_square)).min(1.0 / largest);
    let best = c * alpha.sum() - c * c * half_square;
    assert_relative_eq!(found.dual_objective, best, max_relative = 1e-12);
    assert_relative_eq!(found.alpha, &alpha * c, max_relative = 1e-12);
    let value = |zeta: &Array1<f64>| {
        sublinear_objective(
            &problem,
            zeta.view(),
            sublinear_optimal_intercept(&problem, zeta.view()),
        )
    };
    let expected = value(&mean).min(value(&(dual.zeta * c)));
    assert_relative_eq!(found.objective, expected, max_relative = 1e-12);
    let again = summed_dual_value(&problem, found.alpha.view(), found.subgradient.view());
    assert_eq!(again.value, found.dual_objective);
}

#[test]
fn the_same_bits_for_the_same_seed() {
    let data = gaussians(6, (60, 5), 1.0, 0.5, 0.2);
    let problem = problem(&data, &data.penalty, 1.0);
    for method in METHODS {
        let settings = StochasticSettings {
            method,
            batch: 4,
            epochs: 20,
            ..StochasticSettings::default()
        };
        let (one, other) = (run(&problem, &settings, 3), run(&problem, &settings, 3));
        assert_eq!(one, other);
        assert_ne!(one.zeta, run(&problem, &settings, 4).zeta);
    }
}

#[test]
fn separable_classes_and_constant_classifiers() {
    // The optimum ½λ‖ζ‖² is small beside the losses on the way.
    let data = gaussians(7, (60, 3), 12.0, 0.5, 0.0);
    let problem_of = |penalty, lambda| problem(&data, penalty, lambda);
    let settings = StochasticSettings {
        epochs: 3000,
        tolerance: 5e-2,
        ..StochasticSettings::default()
    };
    let found = run(&problem_of(&data.penalty, 0.1), &settings, 1);
    assert_eq!(found.status, Status::Solved, "{}", found.relative_gap);
    // So uncertain that nothing is learnt: ζ = 0, and f is a constant other than 0.
    let mirrored = Data {
        phi: ndarray::concatenate![Axis(0), data.phi, -&data.phi],
        y: ndarray::concatenate![Axis(0), data.y, -&data.y],
        penalty: FeaturePenalty {
            radii: Array1::from_elem(120, 50.0),
            matrix: PenaltyMatrix::Orthogonal,
        },
    };
    let found = run(&problem(&mirrored, &mirrored.penalty, 1.0), &settings, 1);
    assert_eq!((found.zeta, found.intercept), (Array1::zeros(3), 1.0));
    assert_eq!(found.objective, 120.0);
}

#[test]
fn what_is_not_finite_is_told() {
    let data = gaussians(8, (20, 3), 1.0, 0.5, 0.2);
    let huge = Data {
        phi: &data.phi * 1e200,
        ..data.clone()
    };
    let problem = problem(&huge, &huge.penalty, 1.0);
    let settings = StochasticSettings {
        step: StepRule::Constant { rate: 1e200 },
        ..StochasticSettings::default()
    };
    let found = run(&problem, &settings, 1);
    assert_eq!(found.status, Status::NumericalError);
    // ζ = 0 is still certified.
    assert!(found.objective.is_finite() && found.dual_objective == 0.0);
}

#[test]
fn settings_out_of_range_are_named() {
    let data = gaussians(9, (20, 3), 1.0, 0.5, 0.2);
    let problem = problem(&data, &data.penalty, 2.0);
    let error = |change: fn(&mut StochasticSettings)| {
        let mut settings = StochasticSettings::default();
        change(&mut settings);
        let found = solve_stochastic(&problem, &settings, &mut ChaCha20Rng::seed_from_u64(1));
        match found.err()? {
            SolverError::Setting { name, .. } => Some(name),
            other => panic!("{other}"),
        }
    };
    assert_eq!(error(|s| s.epochs = 1), None);
    assert_eq!(error(|s| s.tolerance = 0.0), Some("tolerance"));
    assert_eq!(error(|s| s.tolerance = f64::NAN), Some("tolerance"));
    assert_eq!(error(|s| s.batch = 0), Some("batch"));
    assert_eq!(error(|s| s.epochs = 0), Some("epochs"));
    assert_eq!(error(|s| s.certify_every = 0), Some("certify_every"));
    assert_eq!(
        error(|s| s.step = StepRule::AdaGrad { rate: 0.0 }),
        Some("rate")
    );
    assert_eq!(
        error(|s| s.step = StepRule::Constant { rate: f64::NAN }),
        Some("rate")
    );
    // L/λ = 10.
    let constant = |s: &mut StochasticSettings| s.step = StepRule::Constant { rate: 11.0 };
    assert_eq!(error(constant), None);
    let oscillating = |s: &mut StochasticSettings| {
        s.step = StepRule::Constant { rate: 11.0 };
        s.method = StochasticMethod::Subgradient;
    };
    assert_eq!(error(oscillating), Some("rate"));
}
