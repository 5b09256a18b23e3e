//! Training on the local bound: certified gaps over the range of problems, objectives of independent solvers, and that
//! the objective is an upper bound on what an attack reaches.

mod common;

use approx::assert_relative_eq;
use common::INTERCEPTS;
use common::local::{Setting, normal, setting};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, array};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::features::{FeatureMap, Features};
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use robust_svm_solvers::certificate::{exceeds_penalty, sublinear_objective};
use robust_svm_solvers::{
    BundleSettings, Intercept, InteriorPointSettings, LocalPenalty, LocalSolution, Problem,
    SolverError, Status, SublinearProblem, solve, solve_bundle, solve_local,
};

fn penalty(case: &Setting) -> LocalPenalty {
    LocalPenalty::new(&case.features, &case.sets, case.x.view(), case.gamma).unwrap()
}

fn solved(case: &Setting, lambda: f64, tolerance: f64) -> LocalSolution {
    solved_with(Intercept::Free, case, lambda, tolerance)
}

/// The solution under a rule for the intercept, checked against the problem of that rule alone.
fn solved_with(rule: Intercept, case: &Setting, lambda: f64, tolerance: f64) -> LocalSolution {
    let phi = case.features.transform(case.x.view());
    let penalty = penalty(case);
    let settings = InteriorPointSettings {
        tolerance,
        ..InteriorPointSettings::default()
    };
    let (phi_view, y) = (phi.view(), case.y.view());
    let solution = solve_local(phi_view, y, &penalty, lambda, rule, &settings).unwrap();
    let gap = solution.relative_gap.value();
    assert_eq!(solution.status, Status::Solved, "gap {gap:e}");
    assert!(gap <= tolerance * (1.0 + 1e-3), "gap {gap:e}");
    assert!(solution.alpha.iter().all(|a| (0.0..=1.0).contains(a)));
    if rule == Intercept::Free {
        assert!(solution.alpha.dot(&case.y).abs() <= 1e-12 * case.y.len() as f64);
    }
    if rule == Intercept::None {
        assert_eq!(solution.intercept, 0.0);
    }
    // No z is above h anywhere: at the solution, at its opposite, and somewhere else.
    let problem = SublinearProblem::new(phi.view(), case.y.view(), &penalty, lambda).unwrap();
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    let random = normal(&mut rng, (1, phi.ncols())).row(0).to_owned();
    for zeta in [&solution.zeta, &-&solution.zeta, &random] {
        let z = solution.subgradients.view();
        assert!(!exceeds_penalty(&problem, z, zeta.view()));
    }
    solution
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The certified gap is reached for every map and rule for the intercept, and the bundle method, which knows cutting planes alone, finds the
    /// same value.
    #[test]
    fn the_bundle_method_finds_the_same_value(
        seed in any::<u64>(), rows in 12..40_usize, n in 1..5_usize, map in 0..5_usize,
        gamma in prop_oneof![1 => Just(0.0), 6 => 1e-3..1.5_f64], log_lambda in -1.0..2.0_f64,
        rule in prop::sample::select(INTERCEPTS),
    ) {
        let case = setting(seed, (rows, n), map, Norm::Two, true, gamma);
        let lambda = 10.0_f64.powf(log_lambda);
        let solution = solved_with(rule, &case, lambda, 1e-8);
        let (phi, penalty) = (case.features.transform(case.x.view()), penalty(&case));
        let problem = SublinearProblem::new(phi.view(), case.y.view(), &penalty, lambda)
            .unwrap()
            .with_intercept(rule);
        let objective = sublinear_objective(&problem, solution.zeta.view(), solution.intercept);
        prop_assert_eq!(objective, solution.objective);
        let bundle = solve_bundle(&problem, &BundleSettings::default()).unwrap();
        prop_assert!(bundle.relative_gap.value() <= 1e-5, "{}", bundle.relative_gap);
        prop_assert!(solution.dual_objective <= bundle.objective * (1.0 + 1e-12));
        prop_assert!(bundle.dual_objective <= solution.objective * (1.0 + 1e-12));
    }

    /// The trained hinge losses are at least those at attacked points, so is their sum with the regulariser.
    #[test]
    fn the_objective_is_above_what_an_attack_reaches(
        seed in any::<u64>(), map in 0..5_usize, gamma in 0.05..1.0_f64, log_lambda in -2.0..0.0_f64,
    ) {
        let case = setting(seed, (40, 3), map, Norm::Two, true, gamma);
        let lambda = 10.0_f64.powf(log_lambda);
        let solution = solved(&case, lambda, 1e-8);
        let set = case.sets.shared().unwrap();
        let zeta = solution.zeta.view();
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut attacked = 0.5 * lambda * zeta.dot(&zeta);
        for (i, (x, y)) in case.x.outer_iter().zip(&case.y).enumerate() {
            let size = gamma * case.sets.size(i);
            let mut worst = 0.0_f64;
            for _ in 0..3 {
                let mut u = set.sample_coordinates(size, 3, &mut rng);
                for _ in 0..10 {
                    let mut moved = u.clone();
                    set.scale(moved.view_mut());
                    moved += &x;
                    let (value, gradient) =
                        case.features.value_and_gradient(moved.insert_axis(Axis(0)).view(), zeta);
                    worst = worst.max(1.0 - y * (value[0] + solution.intercept));
                    let by_u = set.pull_back(gradient.view()).row(0).mapv(|g| -y * g);
                    u = set.maximiser(by_u.view(), size);
                }
            }
            attacked += worst;
        }
        prop_assert!(attacked <= solution.objective * (1.0 + 1e-9), "{attacked} {}", solution.objective);
    }
}

/// Over λ and γ, on sizes with support vectors of every kind, to nine digits.
#[test]
fn the_whole_range_of_settings_is_solved() {
    for map in 0..5 {
        for gamma in [1e-6, 0.1, 0.4, 1.5] {
            for lambda in [1e-2, 1.0, 1e2] {
                let case = setting(40 + map as u64, (120, 4), map, Norm::Two, true, gamma);
                for rule in INTERCEPTS {
                    let solution = solved_with(*rule, &case, lambda, 1e-9);
                    assert!(solution.iterations < 40, "{rule:?} {}", solution.iterations);
                }
            }
        }
    }
}

/// At γ = 0, and in the limit γ → 0, the solution is that of the nominal SVM.
#[test]
fn without_uncertainty_it_is_the_nominal_svm() {
    for map in 1..5 {
        let mut case = setting(5, (60, 3), map, Norm::Two, true, 0.0);
        let phi = case.features.transform(case.x.view());
        let none = FeaturePenalty::none(60);
        let nominal = Problem::new(phi.view(), case.y.view(), &none, 0.3).unwrap();
        let nominal = solve(&nominal, &InteriorPointSettings::default()).unwrap();
        for (gamma, digits) in [(0.0, 1e-12), (1e-8, 1e-6)] {
            case.gamma = gamma;
            let solution = solved(&case, 0.3, 1e-9);
            assert_relative_eq!(
                solution.objective,
                nominal.objective,
                max_relative = digits + 2e-9
            );
            assert_relative_eq!(solution.zeta, nominal.zeta, epsilon = 3e-3);
        }
    }
}

/// One frequency ω and the inputs ±x, labels ±1: φ is sqrt(2/D)(cos ωx, sin ωx) with D = 2, so f = ζ₂ sin ωx by symmetry.
/// With s = sin ωx, c = |cos ωx| the loss at both is 1 − ζ₂(s − γωc − ½γ²ω²), linear in ζ₂ ≥ 0: with g the bracket,
/// P = λζ₂²/2 + 2(1 − ζ₂g)₊ has its minimum at ζ₂ = min(1/g, 2g/λ), or 0 where g ≤ 0.
#[test]
fn a_hand_worked_case() {
    let x = array![[0.9], [-0.9]];
    let kernel = robust_svm_core::kernel::GaussianKernel::new(1.0).unwrap();
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let map = robust_svm_core::features::Rff::draw(kernel, 1, 2, &mut rng).unwrap();
    let ω = map.frequencies()[(0, 0)].abs();
    let features = Features::Rff(std::sync::Arc::new(map));
    let sets = UncertaintySet::sphere().into();
    for (gamma, lambda) in [(0.1, 0.01), (0.1, 5.0), (0.3, 1.0), (9.0, 1.0)] {
        let case = Setting {
            features: features.clone(),
            sets: UncertaintySet::clone(&UncertaintySet::sphere()).into(),
            x: x.clone(),
            y: array![1.0, -1.0],
            gamma,
        };
        assert_eq!(case.sets, sets);
        let solution = solved(&case, lambda, 1e-9);
        let (sin, cos) = ((ω * 0.9).sin().abs(), (ω * 0.9).cos().abs());
        let g = (sin - gamma * ω * cos - 0.5 * gamma * gamma * ω * ω).max(0.0);
        let size = (1.0 / g).min(2.0 * g / lambda);
        let value = 0.5 * lambda * size * size + 2.0 * (1.0 - size * g).max(0.0);
        assert_relative_eq!(solution.objective, value, max_relative = 1e-8);
        assert_relative_eq!(solution.zeta[1].abs(), size, epsilon = 1e-3);
        assert_relative_eq!(solution.zeta[0], 0.0, epsilon = 1e-3);
    }
}

/// The same bits whatever the number of threads around.
#[test]
fn threads_do_not_change_a_bit() {
    for map in [1, 4] {
        let case = setting(9, (700, 5), map, Norm::Two, true, 0.3);
        let alone = solved(&case, 0.1, 1e-8);
        let others: Vec<LocalSolution> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..2)
                .map(|_| scope.spawn(|| solved(&case, 0.1, 1e-8)))
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        for other in others {
            assert_eq!(alone, other);
        }
    }
}

#[test]
fn what_it_does_not_take_is_named() {
    let settings = InteriorPointSettings::default();
    let attempt = |phi: ArrayView2<f64>, case: &Setting, y: ArrayView1<f64>| {
        solve_local(phi, y, &penalty(case), 1.0, Intercept::Free, &settings)
    };
    let refused = |norm, shared| {
        let case = setting(1, (12, 2), 1, norm, shared, 0.3);
        let phi = case.features.transform(case.x.view());
        attempt(phi.view(), &case, case.y.view()).unwrap_err()
    };
    assert_eq!(refused(Norm::One, true), SolverError::LocalSets);
    assert_eq!(refused(Norm::Infinity, true), SolverError::LocalSets);
    assert_eq!(refused(Norm::Two, false), SolverError::LocalSets);
    let case = setting(1, (12, 2), 1, Norm::Two, true, 0.3);
    let narrow = Array2::zeros((12, 3));
    let found = attempt(narrow.view(), &case, case.y.view());
    assert!(matches!(found, Err(SolverError::Shape { .. })));
    let one = Array1::ones(12);
    let phi = case.features.transform(case.x.view());
    let found = attempt(phi.view(), &case, one.view());
    assert_eq!(found.unwrap_err(), SolverError::OneClass { rows: 12 });
}

/// Sets without extent, and directions that are certain.
#[test]
fn singular_shapes_are_solved() {
    for map in 0..5 {
        for scales in [array![0.0, 0.0, 0.0], array![1.0, 0.0, 0.0]] {
            let mut case = setting(6, (50, 3), map, Norm::Two, true, 0.5);
            let set = UncertaintySet::new(Norm::Two, Factor::Diagonal(scales)).unwrap();
            case.sets = set.into();
            solved(&case, 0.1, 1e-9);
            // Some samples certain, others not.
            let sizes = Array1::from_shape_fn(50, |i| f64::from(i as u8 % 3));
            case.sets = case.sets.with_sizes(sizes).unwrap();
            solved(&case, 0.1, 1e-9);
        }
    }
}
