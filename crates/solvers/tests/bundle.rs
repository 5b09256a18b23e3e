//! The bundle method: certified gaps over the range of penalties, and objectives of independent solvers.

mod common;

use approx::assert_relative_eq;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus,
    SupportedConeT,
};
use common::{Data, gaussians, nystrom_like};
use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::StandardNormal;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
use robust_svm_solvers::Intercept;
use robust_svm_solvers::certificate::{
    exceeds_penalty, sublinear_dual_value, sublinear_objective, sublinear_optimal_intercept,
};
use robust_svm_solvers::{
    BundleSettings, BundleSolution, InteriorPointSettings, SolverError, Status, SublinearPenalty,
    SublinearProblem, SupportPenalty, solve, solve_bundle,
};

const NORMS: [Norm; 3] = [Norm::One, Norm::Two, Norm::Infinity];

fn solved(data: &Data, penalty: &dyn SublinearPenalty, lambda: f64) -> BundleSolution {
    let problem = SublinearProblem::new(data.phi.view(), data.y.view(), penalty, lambda).unwrap();
    let solution = solve_bundle(&problem, &BundleSettings::default()).unwrap();
    let gap = solution.relative_gap.value();
    assert_eq!(solution.status, Status::Solved, "gap {gap:e}");
    assert!(gap <= 1e-6, "gap {gap:e}");
    assert!(solution.alpha.iter().all(|a| (0.0..=1.0).contains(a)));
    assert!(solution.alpha.dot(&data.y).abs() <= 1e-12 * data.y.len() as f64);
    // No z is above h anywhere: at the solution, at its opposite, and somewhere else.
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    let random = normal(&mut rng, (1, data.phi.ncols())).row(0).to_owned();
    for zeta in [&solution.zeta, &-&solution.zeta, &random] {
        let z = solution.subgradients.view();
        assert!(!exceeds_penalty(&problem, z, zeta.view()));
    }
    solution
}

fn normal(rng: &mut ChaCha20Rng, shape: (usize, usize)) -> Array2<f64> {
    Array2::from_shape_simple_fn(shape, || rng.sample(StandardNormal))
}

/// Angles of L samples in −3..3, and radii in 0..`gamma`.
fn rotations(seed: u64, data: &Data, norm: Norm, gamma: f64) -> FeaturePenalty {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let (rows, dim) = data.phi.dim();
    FeaturePenalty {
        radii: Array1::from_shape_simple_fn(rows, || gamma * rng.r#gen::<f64>()),
        matrix: PenaltyMatrix::Rotations {
            angles: Array2::from_shape_simple_fn((rows, dim / 2), || rng.gen_range(-3.0..3.0)),
            norm,
        },
    }
}

/// A full, a diagonal or no factor for each sample in turn, and sizes in 0.2..1.
fn shapes(seed: u64, data: &Data, norm: Norm, gamma: f64) -> SupportPenalty {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let (rows, dim) = data.phi.dim();
    let sets = (0..rows).map(|i| {
        let factor = match i % 3 {
            0 => Factor::Full(normal(&mut rng, (dim, dim))),
            1 => Factor::Diagonal(normal(&mut rng, (1, dim)).row(0).mapv(f64::abs)),
            _ => Factor::Identity,
        };
        UncertaintySet::new(norm, factor).unwrap()
    });
    let sets = UncertaintySets::each(sets.collect()).unwrap();
    let sizes = Array1::from_shape_simple_fn(rows, || rng.gen_range(0.2..1.0));
    let sets = sets.with_sizes(sizes).unwrap();
    SupportPenalty { sets, gamma }
}

/// The matrices `M_i` with `h_i(ζ) = ‖M_iζ‖_q`, written out.
fn rotation_matrices(penalty: &FeaturePenalty) -> Vec<Array2<f64>> {
    let PenaltyMatrix::Rotations { angles, .. } = &penalty.matrix else {
        panic!("rotations")
    };
    let rows = angles.outer_iter().zip(&penalty.radii);
    rows.map(|(angles, radius)| {
        let mut m = Array2::zeros((2 * angles.len(), 2 * angles.len()));
        for (j, angle) in angles.iter().enumerate() {
            let (sin, cos) = (radius * angle.sin(), radius * angle.cos());
            m[(2 * j, 2 * j)] = cos;
            m[(2 * j, 2 * j + 1)] = sin;
            m[(2 * j + 1, 2 * j)] = -sin;
            m[(2 * j + 1, 2 * j + 1)] = cos;
        }
        m
    })
    .collect()
}

fn shape_matrices(penalty: &SupportPenalty, dim: usize, rows: usize) -> Vec<Array2<f64>> {
    let matrix = |i| {
        let factor = match penalty.sets.shape(i).factor() {
            Factor::Identity => Array2::eye(dim),
            Factor::Diagonal(s) => Array2::from_diag(s),
            Factor::Full(f) => f.t().to_owned(),
        };
        factor * (penalty.gamma * penalty.sets.size(i))
    };
    (0..rows).map(matrix).collect()
}

/// The optimal value of `min λ/2‖ζ‖² + Σξ_i`, `y_i(⟨ζ,φ_i⟩+b) + ξ_i − t_i ≥ 1`, ξ ≥ 0, `‖M_iζ‖_q ≤ t_i`, by Clarabel:
/// a quadratic program for q = 1 and ∞, with a cone a sample for q = 2. The variables are ζ, b, ξ, t and,
/// for q = 1, u with `|(M_iζ)_j| ≤ u_ij`.
fn clarabel_value(data: &Data, matrices: &[Array2<f64>], q: Norm, lambda: f64) -> f64 {
    let (rows, dim) = data.phi.dim();
    let (xi, t, u) = (dim + 1, dim + 1 + rows, dim + 1 + 2 * rows);
    let width = if q == Norm::One { u + rows * dim } else { u };
    let mut lines: Vec<(Vec<(usize, f64)>, f64)> = Vec::new();
    // A line (a, c) says ⟨a, x⟩ + c ≥ 0, or is a coordinate of a cone.
    for i in 0..rows {
        let y = data.y[i];
        let mut hinge: Vec<_> = (0..dim).map(|k| (k, y * data.phi[(i, k)])).collect();
        hinge.extend([(dim, y), (xi + i, 1.0), (t + i, -1.0)]);
        lines.push((hinge, -1.0));
        lines.push((vec![(xi + i, 1.0)], 0.0));
    }
    let mut cones = Vec::new();
    for (i, m) in matrices.iter().enumerate() {
        let entry = |j: usize, sign: f64| -> Vec<(usize, f64)> {
            (0..dim).map(|k| (k, sign * m[(j, k)])).collect()
        };
        match q {
            Norm::Two => {
                lines.push((vec![(t + i, 1.0)], 0.0));
                lines.extend((0..dim).map(|j| (entry(j, 1.0), 0.0)));
                cones.push(SecondOrderConeT(dim + 1));
            }
            Norm::One | Norm::Infinity => {
                for j in 0..dim {
                    let bound = if q == Norm::One {
                        u + i * dim + j
                    } else {
                        t + i
                    };
                    for sign in [1.0, -1.0] {
                        let mut line = entry(j, sign);
                        line.push((bound, 1.0));
                        lines.push((line, 0.0));
                    }
                }
                if q == Norm::One {
                    let mut sum = vec![(t + i, 1.0)];
                    sum.extend((0..dim).map(|j| (u + i * dim + j, -1.0)));
                    lines.push((sum, 0.0));
                }
            }
        }
    }
    let in_cones: usize = cones.len() * (dim + 1);
    let mut all: Vec<SupportedConeT<f64>> = vec![NonnegativeConeT(lines.len() - in_cones)];
    all.extend(cones);
    let (mut i, mut j, mut v) = (vec![], vec![], vec![]);
    for (row, (line, _)) in lines.iter().enumerate() {
        for (column, value) in line {
            i.push(row);
            j.push(*column);
            v.push(-value);
        }
    }
    let a = CscMatrix::new_from_triplets(lines.len(), width, i, j, v);
    let c: Vec<f64> = lines.iter().map(|line| line.1).collect();
    let weights = (0..dim).collect::<Vec<_>>();
    let p = CscMatrix::new_from_triplets(width, width, weights.clone(), weights, vec![lambda; dim]);
    let mut cost = vec![0.0; width];
    cost[xi..t].fill(1.0);
    let settings = DefaultSettings {
        verbose: false,
        ..DefaultSettings::default()
    };
    let mut solver = DefaultSolver::new(&p, &cost, &a, &c, &all, settings).unwrap();
    solver.solve();
    assert_eq!(solver.solution.status, SolverStatus::Solved);
    solver.solution.obj_val
}

/// Rows in the plane and beyond, λ from weak to strong: L, D, separation, γ, λ.
const CASES: [(usize, usize, f64, f64, f64); 4] = [
    (20, 4, 1.0, 0.3, 0.1),
    (30, 6, 2.0, 0.15, 1.0),
    (12, 8, 4.0, 0.1, 0.01),
    (40, 2, 1.5, 1.0, 0.5),
];

#[test]
fn rotations_agree_with_a_quadratic_program() {
    for (seed, (rows, dim, separation, gamma, lambda)) in (0..).zip(CASES) {
        let data = gaussians(seed, (rows, dim), separation, 0.5, 0.0);
        for q in NORMS {
            let penalty = rotations(seed, &data, q, gamma);
            let expected = clarabel_value(&data, &rotation_matrices(&penalty), q, lambda);
            let found = solved(&data, &penalty, lambda).objective;
            assert_relative_eq!(found, expected, max_relative = 2e-6);
        }
    }
}

#[test]
fn shapes_of_each_sample_agree_with_a_cone_program() {
    for (seed, (rows, dim, separation, gamma, lambda)) in (10..).zip(CASES) {
        let data = gaussians(seed, (rows, dim), separation, 0.5, 0.0);
        for p in NORMS {
            let penalty = shapes(seed, &data, p, gamma);
            let matrices = shape_matrices(&penalty, dim, rows);
            let expected = clarabel_value(&data, &matrices, p.dual(), lambda);
            let found = solved(&data, &penalty, lambda).objective;
            assert_relative_eq!(found, expected, max_relative = 2e-6);
        }
    }
}

/// Where one cone serves all samples both methods apply.
#[test]
fn agrees_with_the_interior_point_method() {
    for (seed, (rows, dim, separation, gamma, lambda)) in (20..).zip(CASES) {
        let orthogonal = gaussians(seed, (rows, dim), separation, 0.4, gamma);
        let mut diagonal = orthogonal.clone();
        nystrom_like(&mut diagonal);
        let mut dense = orthogonal.clone();
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        dense.penalty.matrix = PenaltyMatrix::Dense(normal(&mut rng, (dim + 1, dim)));
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
    ) {
        let data = gaussians(seed, (rows, 2 * pairs), separation, positive, 0.0);
        let lambda = 10.0_f64.powf(log_lambda);
        let solution = if linear {
            solved(&data, &shapes(seed, &data, norm, gamma), lambda)
        } else {
            solved(&data, &rotations(seed, &data, norm, gamma), lambda)
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
            1 => data.penalty.matrix = PenaltyMatrix::Dense(normal(&mut rng, (3, 2 * pairs))),
            _ => (),
        }
        let penalty: &dyn SublinearPenalty = match kind {
            0..=2 => &data.penalty,
            3 => &turned,
            _ => &support,
        };
        let points = normal(&mut rng, (6, 2 * pairs));
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
        log_lambda in -3.0..3.0_f64,
    ) {
        let data = gaussians(seed, (11, 4), 2.0, 0.5, 0.0);
        let penalty = rotations(seed, &data, norm, 1.0);
        let lambda = 10.0_f64.powf(log_lambda);
        let problem = SublinearProblem::new(data.phi.view(), data.y.view(), &penalty, lambda).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(seed ^ 1);
        let anywhere = normal(&mut rng, (2, 4));
        let z = 0.3 * problem.penalty_subgradients(anywhere.row(0))
            + 0.7 * problem.penalty_subgradients(anywhere.row(1));
        let mut alpha = Array1::from_shape_simple_fn(11, || rng.gen_range(-0.2..1.2));
        robust_svm_solvers::certificate::make_feasible(&mut alpha, data.y.view(), Intercept::Free);
        let dual = sublinear_dual_value(&problem, alpha.view(), z.view());
        let random = normal(&mut rng, (1, 4)).row(0).mapv(|v| v * 10.0_f64.powf(size));
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
