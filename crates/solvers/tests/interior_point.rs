//! The interior-point method: certified gaps over the range of problems, and answers known otherwise.

mod common;

use approx::assert_relative_eq;
use common::{Data, INTERCEPTS, gaussians, nystrom_like};
use ndarray::{Array1, Array2, Axis, array, concatenate};
use proptest::prelude::*;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_solvers::certificate::{dual_value, objective, optimal_intercept};
use robust_svm_solvers::{
    InteriorPointSettings, Solution, SolverError, Status, nominal_equivalent, solve,
};

fn solved(data: &Data, lambda: f64) -> Solution {
    let problem = data.problem(lambda);
    let solution = solve(&problem, &InteriorPointSettings::default()).unwrap();
    // Of the problem as given, whatever coordinates it was solved in.
    let (zeta, alpha) = (solution.zeta.view(), solution.alpha.view());
    assert_eq!(
        solution.objective,
        objective(&problem, zeta, solution.intercept)
    );
    assert_eq!(solution.dual_objective, dual_value(&problem, alpha).value);
    let gap = solution.relative_gap.value();
    assert!(gap <= 1e-8, "gap {gap:e}, {:?}", solution.status);
    assert!(solution.iterations <= 60, "{}", solution.iterations);
    solution
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn the_gap_is_certified_everywhere(
        seed in any::<u64>(), rows in 4..80_usize, dim in 1..100_usize,
        separation in 0.0..12.0_f64, positive in 0.03..0.97_f64,
        gamma in prop_oneof![Just(0.0), 1e-3..5.0_f64], log_lambda in -3.0..3.0_f64,
        duplicated in any::<bool>(), certain in any::<bool>(), diagonal in any::<bool>(),
    ) {
        let mut data = gaussians(seed, (rows, dim), separation, positive, gamma);
        if diagonal {
            nystrom_like(&mut data);
        }
        if certain {
            data.penalty.radii.iter_mut().step_by(3).for_each(|r| *r = 0.0);
        }
        if duplicated {
            data.phi = concatenate![Axis(0), data.phi, data.phi];
            data.y = concatenate![Axis(0), data.y, data.y];
            data.penalty.radii = concatenate![Axis(0), data.penalty.radii, data.penalty.radii];
        }
        let solution = solved(&data, 10.0_f64.powf(log_lambda));
        prop_assert!(solution.dual_objective <= solution.objective * (1.0 + 1e-12));
        prop_assert!(solution.alpha.iter().all(|a| (0.0..=1.0).contains(a)));
    }

    /// Radii so small that they cannot matter go through the cone and agree with Γ = 0, which does not.
    #[test]
    fn a_vanishing_radius_is_the_nominal_problem(seed in any::<u64>(), log_lambda in -3.0..3.0_f64) {
        let mut data = gaussians(seed, (40, 6), 1.0, 0.5, 0.0);
        let lambda = 10.0_f64.powf(log_lambda);
        let nominal = solved(&data, lambda);
        data.penalty.radii.fill(1e-14);
        let robust = solved(&data, lambda);
        assert_relative_eq!(nominal.objective, robust.objective, max_relative = 1e-8);
    }
}

#[test]
fn tall_and_wide_problems() {
    for (shape, seed) in [((3000, 12), 1), ((1500, 2), 2), ((20, 300), 3)] {
        for gamma in [0.0, 0.3, 5.0] {
            let solution = solved(&gaussians(seed, shape, 1.5, 0.5, gamma), 0.1);
            assert!(
                solution.iterations <= 30,
                "{shape:?} {gamma} {}",
                solution.iterations
            );
        }
    }
}

/// Two points at ±2, radii r: f = ζx with ζ ≥ 0 has margin (2 − r)ζ at both. P = λζ²/2 + 2(1 − (2−r)ζ)₊ has
/// its minimum at ζ = min(1/(2−r), 2(2−r)/λ).
#[test]
fn a_hand_worked_case() {
    for (lambda, radius) in [
        (1.0, 0.0),
        (1.0, 0.5),
        (40.0, 0.5),
        (100.0, 1.0),
        (3.0, 1.9),
        (1.0, 2.5),
    ] {
        let data = Data {
            phi: array![[2.0], [-2.0]],
            y: array![1.0, -1.0],
            penalty: FeaturePenalty {
                radii: array![radius, radius],
                matrix: PenaltyMatrix::Orthogonal,
            },
        };
        let solution = solved(&data, lambda);
        let reach = (2.0_f64 - radius).max(0.0);
        let zeta = (1.0 / reach).min(2.0 * reach / lambda);
        let value = 0.5 * lambda * zeta * zeta + 2.0 * (1.0 - reach * zeta).max(0.0);
        assert_relative_eq!(solution.objective, value, max_relative = 1e-8);
        assert_relative_eq!(solution.zeta[0], zeta, epsilon = 1e-4);
    }
}

/// A radius above half the distance of the classes: ζ = 0 is optimal, the cone is at its apex, and
/// `P = 2 min(n₊, n₋)`.
#[test]
fn at_the_apex_of_the_cone() {
    let mut data = gaussians(4, (50, 8), 1.0, 0.3, 0.0);
    data.penalty.radii.fill(100.0);
    let positive = data.y.iter().filter(|y| **y > 0.0).count();
    let solution = solved(&data, 1.0);
    assert_relative_eq!(
        solution.objective,
        2.0 * positive as f64,
        max_relative = 1e-8
    );
    assert!(solution.zeta.dot(&solution.zeta) < 1e-12);
}

/// The same with equal classes: every b of [−1, 1] is optimal, and 0 would put no point into a class.
#[test]
fn at_the_apex_equal_classes_get_an_intercept() {
    let mut data = gaussians(4, (50, 8), 1.0, 0.5, 0.0);
    data.y = Array1::from_shape_fn(50, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
    data.penalty.radii.fill(100.0);
    let dense = Array2::from_shape_fn((8, 8), |(i, k)| {
        f64::from(u8::from(i == k)) + 0.1 * ((3 * i + k) as f64).sin()
    });
    for matrix in [PenaltyMatrix::Orthogonal, PenaltyMatrix::Dense(dense)] {
        data.penalty.matrix = matrix;
        let solution = solved(&data, 1.0);
        assert_relative_eq!(solution.objective, 50.0, max_relative = 1e-8);
        assert!(solution.intercept.abs() > 0.5 && solution.intercept.abs() <= 1.0);
    }
}

/// λ at the ends of the numbers there are: an answer with its gap, and a status that agrees with it.
#[test]
fn no_lambda_panics() {
    for exponent in [-300, -200, -100, -30, 30, 100, 200, 300] {
        for &rule in INTERCEPTS {
            for radius in [0.0, 0.1] {
                let mut data = gaussians(3, (60, 5), 1.0, 0.5, 0.0);
                data.penalty.radii.fill(radius);
                let problem = data.problem(10.0_f64.powi(exponent)).with_intercept(rule);
                let solution = solve(&problem, &InteriorPointSettings::default()).unwrap();
                assert!(solution.objective <= 60.0);
                let gap = solution.relative_gap.value();
                let reached = gap <= InteriorPointSettings::default().tolerance;
                assert_eq!(
                    solution.status == Status::Solved,
                    reached,
                    "{exponent} {gap}"
                );
            }
        }
    }
}

/// In two dimensions a golden-section search within a golden-section search is an independent method.
#[test]
fn nested_line_searches_in_the_plane_agree() {
    for seed in 0..4 {
        let mut data = gaussians(seed, (30, 2), 2.0, 0.5, 0.6);
        data.penalty.matrix = PenaltyMatrix::Diagonal(array![1.0, 3.0]);
        let problem = data.problem(0.5);
        let value = |zeta: Array1<f64>| {
            objective(
                &problem,
                zeta.view(),
                optimal_intercept(&problem, zeta.view()),
            )
        };
        let best = minimum(|first| minimum(|second| value(array![first, second])));
        assert_relative_eq!(solved(&data, 0.5).objective, best, max_relative = 1e-8);
    }
}

/// A dense A that turns and stretches: the golden sections again, and, where it only turns a diagonal one,
/// the diagonal problem on turned features. A may have any number of rows, or a null space.
#[test]
fn a_dense_matrix_is_solved_in_its_axes() {
    for (seed, a) in [
        (1, array![[1.0, 2.0], [0.5, -1.0], [0.3, 0.0]]),
        (2, array![[1.0, 2.0]]),
        (3, array![[1e-9, 0.0], [0.0, 3.0]]),
    ] {
        let mut data = gaussians(seed, (30, 2), 2.0, 0.5, 0.6);
        data.penalty.matrix = PenaltyMatrix::Dense(a);
        let problem = data.problem(0.5);
        let value = |zeta: Array1<f64>| {
            let intercept = optimal_intercept(&problem, zeta.view());
            objective(&problem, zeta.view(), intercept)
        };
        let best = minimum(|first| minimum(|second| value(array![first, second])));
        assert_relative_eq!(solved(&data, 0.5).objective, best, max_relative = 1e-8);
    }
    let mut data = gaussians(7, (120, 12), 2.0, 0.5, 0.5);
    let scales = Array1::from_shape_fn(12, |k| 0.1 + k as f64);
    data.penalty.matrix = PenaltyMatrix::Diagonal(scales.clone());
    let diagonal = solved(&data, 1.0);
    // Householder's reflection of w: symmetric and orthogonal.
    let w = Array1::from_shape_fn(12, |k| (k as f64 + 0.7).sin());
    let outer = w
        .view()
        .insert_axis(ndarray::Axis(1))
        .dot(&w.view().insert_axis(ndarray::Axis(0)));
    let turn = Array2::eye(12) - outer * (2.0 / w.dot(&w));
    data.phi = data.phi.dot(&turn);
    data.penalty.matrix = PenaltyMatrix::Dense(Array2::from_diag(&scales).dot(&turn));
    let dense = solved(&data, 1.0);
    assert_relative_eq!(dense.objective, diagonal.objective, max_relative = 2e-8);
    assert_relative_eq!(dense.zeta, turn.dot(&diagonal.zeta), epsilon = 1e-5);
}

/// The minimum on [−10, 10] of a convex function, by golden sections.
fn minimum(f: impl Fn(f64) -> f64) -> f64 {
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (-10.0, 10.0);
    let mut best = f64::INFINITY;
    for _ in 0..70 {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        let (at_left, at_right) = (f(left), f(right));
        best = best.min(at_left).min(at_right);
        if at_left < at_right {
            high = right;
        } else {
            low = left;
        }
    }
    best
}

/// Sub-gradient descent with a step of 1/(λk) and averaging reaches the value to O(log k/k).
#[test]
fn sub_gradient_descent_agrees() {
    let data = gaussians(11, (40, 5), 2.0, 0.4, 0.4);
    let lambda = 5.0;
    let problem = data.problem(lambda);
    let solution = solved(&data, lambda);
    let mut zeta = Array1::<f64>::zeros(5);
    let mut best = f64::INFINITY;
    for k in 1..=20_000 {
        let b = optimal_intercept(&problem, zeta.view());
        best = best.min(objective(&problem, zeta.view(), b));
        let norm = zeta.dot(&zeta).sqrt();
        let mut gradient = &zeta * lambda;
        for ((row, y), radius) in data.phi.outer_iter().zip(&data.y).zip(&data.penalty.radii) {
            if 1.0 - y * (row.dot(&zeta) + b) + radius * norm > 0.0 {
                gradient.scaled_add(-y, &row);
                if norm > 0.0 {
                    gradient.scaled_add(radius / norm, &zeta);
                }
            }
        }
        zeta.scaled_add(-1.0 / (lambda * f64::from(k + 10)), &gradient);
    }
    assert!(best >= solution.dual_objective * (1.0 - 1e-12));
    assert_relative_eq!(best, solution.objective, max_relative = 2e-3);
}

/// Uniform Γ and orthogonal A only move along the nominal regularisation path (derived): with
/// s = 1 + Γ‖ζ‖, ζ/s solves the nominal problem at `λ' = s(λ + ΓΣα/‖ζ‖)`.
#[test]
fn the_path_equivalence() {
    for (seed, gamma, lambda) in [(1, 0.1, 1.0), (2, 0.3, 0.1), (3, 0.5, 3.0), (4, 0.2, 20.0)] {
        let mut data = gaussians(seed, (80, 6), 3.0, 0.5, 0.0);
        data.penalty.radii.fill(gamma);
        let robust = solved(&data, lambda);
        let norm = robust.zeta.dot(&robust.zeta).sqrt();
        assert!(norm > 1e-2, "{norm}");
        let s = 1.0 + gamma * norm;
        let equivalent = s * (lambda + gamma * robust.alpha.sum() / norm);
        let computed = nominal_equivalent(&data.problem(lambda), &robust).unwrap();
        assert_relative_eq!(computed.lambda, equivalent, max_relative = 1e-12);
        assert!(computed.relative_gap.value() <= 1e-6, "{computed:?}");
        let nominal = solved(&data.nominal(), equivalent);
        assert_relative_eq!(nominal.zeta, &robust.zeta / s, epsilon = 1e-4 * norm);
        let nominal_data = data.nominal();
        let problem = nominal_data.problem(equivalent);
        let image = &robust.zeta / s;
        let value = objective(&problem, image.view(), robust.intercept / s);
        assert_relative_eq!(value, nominal.objective, max_relative = 1e-6);
        // The robust losses are s times the nominal ones.
        let robust_losses = robust.objective - 0.5 * lambda * norm * norm;
        let losses = value - 0.5 * equivalent * image.dot(&image);
        assert_relative_eq!(
            robust_losses,
            s * losses,
            epsilon = 1e-9,
            max_relative = 1e-9
        );
    }
}

/// Where the radii differ there is no equivalent; where they are equal, another λ than λ′ has another
/// classifier, so the certified gap tells.
#[test]
fn the_path_equivalence_needs_equal_radii() {
    let mut data = gaussians(5, (80, 6), 3.0, 0.5, 0.0);
    data.penalty.radii.fill(0.3);
    let robust = solved(&data, 1.0);
    let wrong = nominal_equivalent(&data.problem(0.5), &robust).unwrap();
    assert!(wrong.relative_gap.value() > 1e-3, "{wrong:?}");
    data.penalty.radii[0] = 0.2;
    let robust = solved(&data, 1.0);
    assert_eq!(nominal_equivalent(&data.problem(1.0), &robust), None);
}

/// Separable, with every row twice: the weights of the rows on the margin grow until the arithmetic ends,
/// and the solve must end there too.
#[test]
fn duplicated_separable_rows() {
    let mut data = gaussians(
        4_688_217_428_387_491_308,
        (60, 51),
        10.639_578,
        0.123_310_84,
        0.0,
    );
    data.phi = concatenate![Axis(0), data.phi, data.phi];
    data.y = concatenate![Axis(0), data.y, data.y];
    data.penalty.radii = Array1::zeros(120);
    assert!(solved(&data, 1.0).iterations <= 30);
}

/// Unbalanced, far apart and with large radii: steps almost to the boundary of the cone would zigzag along it.
#[test]
fn first_steps_keep_off_the_boundary() {
    let shape = (65, 64);
    let mut data = gaussians(
        18_393_222_654_743_997_944,
        shape,
        11.251_835_436_986_427,
        0.935_619_011_741_892_4,
        2.492_552_624_074_952,
    );
    data.phi = concatenate![Axis(0), data.phi, data.phi];
    data.y = concatenate![Axis(0), data.y, data.y];
    data.penalty.radii = concatenate![Axis(0), data.penalty.radii, data.penalty.radii];
    assert!(solved(&data, 10.0_f64.powf(0.279_424_700_233_348)).iterations <= 30);
}

/// A nominal problem whose optimal α is four orders of magnitude below its bound.
#[test]
fn far_apart_and_unbalanced() {
    solved(
        &gaussians(5_385_873_266_646_864_623, (58, 38), 11.642, 0.951_397, 0.0),
        1.468_6e-3,
    );
}

/// The full second-order correction cycles here.
#[test]
fn the_corrector_does_not_cycle() {
    let mut data = gaussians(12_018_181_793_564_078_947, (40, 6), 1.0, 0.5, 0.0);
    data.penalty.radii.fill(1e-14);
    let solution = solved(&data, 10.0_f64.powf(2.622_973_815_992_922_6));
    assert_relative_eq!(
        solution.objective,
        solved(&data.nominal(), 10.0_f64.powf(2.622_973_815_992_922_6)).objective,
        max_relative = 1e-8
    );
}

#[test]
fn few_iterations_are_told_apart_and_still_certified() {
    let data = gaussians(5, (60, 10), 1.0, 0.5, 0.3);
    let best = solved(&data, 1.0);
    assert_eq!(best.status, Status::Solved);
    let settings = InteriorPointSettings {
        max_iterations: 3,
        ..InteriorPointSettings::default()
    };
    let early = solve(&data.problem(1.0), &settings).unwrap();
    assert_eq!(
        (early.status, early.iterations),
        (Status::IterationLimit, 3)
    );
    assert!(early.objective >= best.dual_objective && early.dual_objective <= best.objective);
    assert!(early.relative_gap > best.relative_gap);
    let settings = InteriorPointSettings {
        tolerance: 0.0,
        ..settings
    };
    assert!(matches!(
        solve(&data.problem(1.0), &settings),
        Err(SolverError::Setting { .. })
    ));
}

#[test]
fn the_same_bits_every_time() {
    let data = gaussians(6, (70, 20), 1.0, 0.5, 0.3);
    assert_eq!(solved(&data, 0.1), solved(&data, 0.1));
}

/// No features at all: only the intercept is left, and `P = 2 min(n₊, n₋)`.
#[test]
fn no_features() {
    let data = Data {
        phi: Array2::zeros((3, 0)),
        y: array![1.0, -1.0, 1.0],
        penalty: FeaturePenalty::none(3),
    };
    assert_relative_eq!(solved(&data, 1.0).objective, 2.0, max_relative = 1e-8);
}
