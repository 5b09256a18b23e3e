//! The bundle method: certified gaps over the range of penalties. `reference.rs` holds it against another solver.

mod common;

use approx::assert_relative_eq;
use common::{Data, INTERCEPTS, NORMS, gaussians, normals, nystrom_like, rotations, shapes};
use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use robust_svm_solvers::Intercept;
use robust_svm_solvers::certificate::{
    exceeds_penalty, sublinear_dual_value, sublinear_objective, sublinear_optimal_intercept,
};
use robust_svm_solvers::{
    BundleSettings, BundleSolution, InteriorPointSettings, SolverError, Status, SublinearPenalty,
    SublinearProblem, SupportPenalty, solve, solve_bundle,
};

fn solved(data: &Data, penalty: &dyn SublinearPenalty, lambda: f64) -> BundleSolution {
    solved_with(Intercept::Free, data, penalty, lambda)
}

fn solved_with(
    rule: Intercept,
    data: &Data,
    penalty: &dyn SublinearPenalty,
    lambda: f64,
) -> BundleSolution {
    let problem = SublinearProblem::new(data.phi.view(), data.y.view(), penalty, lambda)
        .unwrap()
        .with_intercept(rule);
    let solution = solve_bundle(&problem, &BundleSettings::default()).unwrap();
    let gap = solution.relative_gap.value();
    assert_eq!(solution.status, Status::Solved, "gap {gap:e}");
    assert!(gap <= 1e-6, "gap {gap:e}");
    assert!(solution.alpha.iter().all(|a| (0.0..=1.0).contains(a)));
    let balance = solution.alpha.dot(&data.y);
    assert!(rule != Intercept::Free || balance.abs() <= 1e-12 * data.y.len() as f64);
    assert!(rule != Intercept::None || solution.intercept == 0.0);
    // No z is above h anywhere: at the solution, at its opposite, and somewhere else.
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    let random = normals(&mut rng, (1, data.phi.ncols())).row(0).to_owned();
    for zeta in [&solution.zeta, &-&solution.zeta, &random] {
        let z = solution.subgradients.view();
        assert!(!exceeds_penalty(&problem, z, zeta.view()));
    }
    solution
}

/// Rows in the plane and beyond, λ from weak to strong: L, D, separation, γ, λ.
const CASES: [(usize, usize, f64, f64, f64); 4] = [
    (20, 4, 1.0, 0.3, 0.1),
    (30, 6, 2.0, 0.15, 1.0),
    (12, 8, 4.0, 0.1, 0.01),
    (40, 2, 1.5, 1.0, 0.5),
];

/// Where one cone serves all samples both methods apply.
#[test]
fn agrees_with_the_interior_point_method() {
    for (seed, (rows, dim, separation, gamma, lambda)) in (20..).zip(CASES) {
        let orthogonal = gaussians(seed, (rows, dim), separation, 0.4, gamma);
        let mut diagonal = orthogonal.clone();
        nystrom_like(&mut diagonal);
        let mut dense = orthogonal.clone();
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        dense.penalty.matrix = PenaltyMatrix::Dense(normals(&mut rng, (dim + 1, dim)));
        for data in [orthogonal, diagonal, dense] {
            let one_cone = solve(&data.problem(lambda), &InteriorPointSettings::default()).unwrap();
            let bundle = solved(&data, &data.penalty, lambda);
            assert_relative_eq!(bundle.objective, one_cone.objective, max_relative = 1e-6);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]
    /// Strong duality: the gap closes, whatever the penalty, its size and λ.
    #[test]
    fn the_gap_closes(
        seed in any::<u64>(), rows in 4..60_usize, pairs in 1..10_usize, separation in 0.0..8.0_f64,
        positive in 0.1..0.9_f64, gamma in prop_oneof![Just(0.0), 1e-3..1.0_f64],
        log_lambda in -1.0..2.0_f64, norm in prop::sample::select(NORMS.to_vec()), linear in any::<bool>(),
        rule in prop::sample::select(INTERCEPTS),
    ) {
        let data = gaussians(seed, (rows, 2 * pairs), separation, positive, 0.0);
        let lambda = 10.0_f64.powf(log_lambda);
        let solution = if linear {
            solved_with(rule, &data, &shapes(seed, &data, norm, gamma), lambda)
        } else {
            solved_with(rule, &data, &rotations(seed, &data, norm, gamma), lambda)
        };
        prop_assert!(solution.dual_objective <= solution.objective * (1.0 + 1e-12));
    }

    /// Sub-gradients support h: `⟨z, ζ⟩ = h(ζ)`, and `⟨z, η⟩ ≤ h(η)` for any other η.
    #[test]
    fn subgradients_support_the_penalty(
        seed in any::<u64>(), pairs in 1..6_usize, norm in prop::sample::select(NORMS.to_vec()),
        kind in 0..5_usize,
    ) {
        let mut data = gaussians(seed, (7, 2 * pairs), 1.0, 0.5, 0.8);
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let turned = rotations(seed, &data, norm, 0.7);
        let support = shapes(seed, &data, norm, 0.7);
        match kind {
            0 => nystrom_like(&mut data),
            1 => data.penalty.matrix = PenaltyMatrix::Dense(normals(&mut rng, (3, 2 * pairs))),
            _ => (),
        }
        let penalty: &dyn SublinearPenalty = match kind {
            0..=2 => &data.penalty,
            3 => &turned,
            _ => &support,
        };
        let points = normals(&mut rng, (6, 2 * pairs));
        let zeta = points.row(0);
        let z = penalty.subgradients(zeta, 7);
        assert_relative_eq!(z.dot(&zeta), penalty.values(zeta, 7), max_relative = 1e-12);
        for other in points.outer_iter() {
            let values = penalty.values(other, 7);
            for (below, h) in z.dot(&other).iter().zip(&values) {
                prop_assert!(*below <= h * (1.0 + 1e-12) + 1e-12, "{below} {h}");
            }
        }
        prop_assert!(penalty.subgradients(Array1::zeros(2 * pairs).view(), 7).iter().all(|z| *z == 0.0));
    }

    /// Weak duality of the certificate at points no solver made.
    #[test]
    fn any_dual_value_is_below_any_primal_value(
        seed in any::<u64>(), norm in prop::sample::select(NORMS.to_vec()), size in -3.0..1.0_f64,
        log_lambda in -3.0..3.0_f64, rule in prop::sample::select(INTERCEPTS),
    ) {
        let data = gaussians(seed, (11, 4), 2.0, 0.5, 0.0);
        let penalty = rotations(seed, &data, norm, 1.0);
        let lambda = 10.0_f64.powf(log_lambda);
        let problem = SublinearProblem::new(data.phi.view(), data.y.view(), &penalty, lambda)
            .unwrap()
            .with_intercept(rule);
        let mut rng = ChaCha20Rng::seed_from_u64(seed ^ 1);
        let anywhere = normals(&mut rng, (2, 4));
        let z = 0.3 * problem.penalty_subgradients(anywhere.row(0))
            + 0.7 * problem.penalty_subgradients(anywhere.row(1));
        let mut alpha = Array1::from_shape_simple_fn(11, || rng.gen_range(-0.2..1.2));
        robust_svm_solvers::certificate::make_feasible(&mut alpha, data.y.view(), rule);
        let dual = sublinear_dual_value(&problem, alpha.view(), z.view());
        let random = normals(&mut rng, (1, 4)).row(0).mapv(|v| v * 10.0_f64.powf(size));
        for zeta in [random, dual.zeta] {
            let intercept = sublinear_optimal_intercept(&problem, zeta.view());
            let primal = sublinear_objective(&problem, zeta.view(), intercept);
            prop_assert!(dual.value <= primal * (1.0 + 1e-12) + 1e-12, "{} above {primal}", dual.value);
        }
    }
}

/// Two points at ±(2, 1), a box |δ_k| ≤ r: f = ⟨w, x⟩ has margin 2w₁ + w₂ − r‖w‖₁ at both. With w ≥ 0 that is
/// ⟨g, w⟩, g = (2 − r, 1 − r) where positive: w = c g, and P = λc²‖g‖²/2 + 2(1 − c‖g‖²)₊ has its minimum at
/// c = min(1/‖g‖², 2/λ).
#[test]
fn a_hand_worked_case() {
    let data = Data {
        phi: array![[2.0, 1.0], [-2.0, -1.0]],
        y: array![1.0, -1.0],
        penalty: FeaturePenalty::none(2),
    };
    let cube = UncertaintySet::new(Norm::Infinity, Factor::Identity).unwrap();
    for (lambda, r) in [(1.0, 0.0), (1.0, 0.5), (20.0, 0.5), (1.0, 1.5), (1.0, 2.5)] {
        let penalty = SupportPenalty {
            sets: cube.clone().into(),
            gamma: r,
        };
        let solution = solved(&data, &penalty, lambda);
        let g = array![(2.0 - r).max(0.0), (1.0 - r).max(0.0)];
        let square: f64 = g.dot(&g);
        let c = (1.0 / square).min(2.0 / lambda);
        let value = 0.5 * lambda * c * c * square + 2.0 * (1.0 - c * square).max(0.0);
        assert_relative_eq!(solution.objective, value, max_relative = 1e-6);
        assert_relative_eq!(solution.zeta, g * c, epsilon = 3e-3);
        if square == 0.0 {
            // ζ = 0 is a constant classifier, never f = 0.
            assert_eq!((solution.zeta, solution.intercept), (array![0.0, 0.0], 1.0));
        }
    }
}

#[test]
fn the_iteration_limit_is_told_and_its_gap_is_true() {
    let data = gaussians(1, (60, 10), 1.0, 0.5, 0.0);
    let penalty = rotations(1, &data, Norm::One, 0.3);
    let problem = SublinearProblem::new(data.phi.view(), data.y.view(), &penalty, 0.1).unwrap();
    let settings = BundleSettings {
        max_iterations: 2,
        ..BundleSettings::default()
    };
    let early = solve_bundle(&problem, &settings).unwrap();
    assert_eq!(
        (early.status, early.iterations),
        (Status::IterationLimit, 2)
    );
    let optimum = solved(&data, &penalty, 0.1);
    assert!(early.relative_gap.value() > 1e-6);
    assert!(early.dual_objective <= optimum.objective && optimum.dual_objective <= early.objective);
}

/// Merged pieces are pieces: with room for few the bounds still hold on both sides, and are not far apart.
#[test]
fn merged_pieces_are_sound() {
    let data = gaussians(3, (25, 12), 1.0, 0.5, 0.0);
    let penalty = shapes(3, &data, Norm::Two, 0.4);
    let optimum = solved(&data, &penalty, 0.02);
    let problem = SublinearProblem::new(data.phi.view(), data.y.view(), &penalty, 0.02).unwrap();
    let settings = BundleSettings {
        max_pieces: 1,
        ..BundleSettings::default()
    };
    let merged = solve_bundle(&problem, &settings).unwrap();
    let z = merged.subgradients.view();
    assert!(!exceeds_penalty(&problem, z, merged.zeta.view()));
    assert!(!exceeds_penalty(&problem, z, optimum.zeta.view()));
    assert!(merged.dual_objective <= optimum.objective);
    assert!(optimum.dual_objective <= merged.objective);
    assert!(
        merged.relative_gap.value() < 1e-2,
        "{}",
        merged.relative_gap
    );
}

#[test]
fn bad_input_is_named() {
    let data = gaussians(1, (6, 4), 1.0, 0.5, 0.0);
    let error = |penalty: &dyn SublinearPenalty| {
        SublinearProblem::new(data.phi.view(), data.y.view(), penalty, 1.0).err()
    };
    let rotated = rotations(1, &data, Norm::One, 0.3);
    assert_eq!(error(&rotated), None);
    let mut bad = rotated.clone();
    bad.radii[2] = -1.0;
    let expected = SolverError::Radius {
        row: 2,
        found: -1.0,
    };
    assert_eq!(error(&bad), Some(expected));
    let with_angles = |angles| FeaturePenalty {
        radii: rotated.radii.clone(),
        matrix: PenaltyMatrix::Rotations {
            angles,
            norm: Norm::One,
        },
    };
    for shape in [(6, 1), (5, 2)] {
        let found = error(&with_angles(Array2::zeros(shape)));
        assert!(
            matches!(found, Some(SolverError::Shape { .. })),
            "{shape:?}"
        );
    }
    let nan = with_angles(Array2::from_elem((6, 2), f64::NAN));
    assert!(matches!(
        error(&nan),
        Some(SolverError::NotFinite {
            row: 0,
            column: 0,
            ..
        })
    ));
    for (rows, dim) in [(5, 4), (6, 3)] {
        let other = gaussians(1, (rows, dim), 1.0, 0.5, 0.0);
        let found = error(&shapes(1, &other, Norm::Two, 0.3));
        assert!(
            matches!(found, Some(SolverError::Shape { .. })),
            "{rows} {dim}"
        );
    }
    for gamma in [-1.0, f64::NAN] {
        let found = error(&SupportPenalty {
            sets: UncertaintySet::sphere().into(),
            gamma,
        });
        assert!(matches!(
            found,
            Some(SolverError::Setting { name: "gamma", .. })
        ));
    }
    let problem = SublinearProblem::new(data.phi.view(), data.y.view(), &rotated, 1.0).unwrap();
    let settings = BundleSettings {
        tolerance: 2.0,
        ..BundleSettings::default()
    };
    assert!(solve_bundle(&problem, &settings).is_err());
}
