//! The support vector machine on a kernel matrix against linfa, the interior-point method and Clarabel, and its refusals.

mod common;

use approx::assert_relative_eq;
use common::gaussians;
use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::linalg::symmetric_eigen;
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_solvers::reference::solve_one_cone;
use robust_svm_solvers::{
    GramSettings, GramSolution, InteriorPointSettings, KernelSettings, Problem, SolverError,
    Status, fit_gram_svm, fit_kernel_svm, solve,
};

fn fit(gram: &Array2<f64>, y: &Array1<f64>, lambda: f64, tolerance: f64) -> GramSolution {
    let settings = GramSettings {
        tolerance,
        ..GramSettings::default()
    };
    fit_gram_svm(gram.view(), y.view(), lambda, &settings).unwrap()
}

/// Features Φ with `ΦΦᵀ = K`.
fn features(gram: &Array2<f64>) -> Array2<f64> {
    let (values, vectors) = symmetric_eigen(gram.view()).unwrap();
    vectors * &values.mapv(|v| v.max(0.0).sqrt())
}

/// `P − D` and `P`, by the formulas alone.
fn values(gram: &Array2<f64>, y: &Array1<f64>, lambda: f64, solution: &GramSolution) -> (f64, f64) {
    let beta = &solution.alpha * y / lambda;
    assert_relative_eq!(beta, solution.beta);
    let f = gram.dot(&beta);
    let square = 0.5 * lambda * beta.dot(&f);
    let losses = f
        .iter()
        .zip(y)
        .map(|(f, y)| (1.0 - y * (f + solution.intercept)).max(0.0));
    (square + losses.sum::<f64>(), solution.alpha.sum() - square)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// On matrices of every rank: α is feasible, the values are those of α, and the gap is within the tolerance, which puts the
    /// objective within it of that of two other solvers that share nothing with this one.
    #[test]
    fn the_optimum_is_that_of_other_solvers(
        seed in any::<u64>(), rows in 6..40_usize, dim in 1..8_usize, kind in 0..3_usize,
        log_lambda in -3.0..2.0_f64, positive in 0.2..0.8_f64,
    ) {
        let lambda = 10.0_f64.powf(log_lambda);
        let data = gaussians(seed, (rows, dim), 1.0, positive, 0.0);
        let gram = match kind {
            0 => data.phi.dot(&data.phi.t()),
            1 => GaussianKernel::new(1.0).unwrap().matrix(data.phi.view(), data.phi.view()),
            _ => data.phi.dot(&data.phi.t()).mapv(|k| (k + 1.0).powi(2)),
        };
        let solution = fit(&gram, &data.y, lambda, 1e-8);
        prop_assert_eq!(solution.status, Status::Solved);
        prop_assert!(solution.alpha.iter().all(|a| (0.0..=1.0).contains(a)));
        prop_assert!(solution.alpha.dot(&data.y).abs() <= 1e-12 * rows as f64);
        let (primal, dual) = values(&gram, &data.y, lambda, &solution);
        assert_relative_eq!(primal, solution.objective, max_relative = 1e-10);
        assert_relative_eq!(dual, solution.dual_objective, max_relative = 1e-10);
        prop_assert!(primal - dual <= 1.01e-8 * primal);

        let (phi, penalty) = (features(&gram), FeaturePenalty::none(rows));
        let problem = Problem::new(phi.view(), data.y.view(), &penalty, lambda).unwrap();
        let interior = solve(&problem, &InteriorPointSettings::default()).unwrap();
        assert_relative_eq!(solution.objective, interior.objective, max_relative = 1e-6);
        let clarabel = solve_one_cone(&problem).unwrap();
        // Clarabel's objective is that of its w and b, from above, on features whose products are the matrix but for the rounding of its
        // eigenvalues; each of its margins may be short by its tolerance, 1e−8, near which no objective is told from 0.
        prop_assert!(solution.dual_objective <= clarabel.objective * (1.0 + 1e-10) + 1e-12);
        assert_relative_eq!(solution.objective, clarabel.objective, max_relative = 1e-5, epsilon = 1e-8 * rows as f64);
    }
}

/// linfa's method is the same in outline, by first-order pairs; the decisions agree too.
#[test]
fn linfa_finds_the_same_classifier() {
    let data = gaussians(3, (150, 4), 1.2, 0.4, 0.0);
    let kernel = GaussianKernel::new(1.5).unwrap();
    let gram = kernel.matrix(data.phi.view(), data.phi.view());
    let settings = KernelSettings::default();
    for lambda in [0.01, 0.3, 10.0] {
        let solution = fit(&gram, &data.y, lambda, 1e-10);
        let linfa = fit_kernel_svm(kernel, data.phi.view(), data.y.view(), lambda, &settings);
        let linfa = linfa.unwrap();
        assert_relative_eq!(solution.objective, linfa.objective, max_relative = 1e-6);
        assert!(solution.dual_objective <= linfa.objective);
        assert!(linfa.dual_objective <= solution.objective);
        let of_linfa = gram.dot(&(&linfa.alpha * &data.y / lambda)) + linfa.model.intercept();
        let own = gram.dot(&solution.beta) + solution.intercept;
        assert_relative_eq!(own, of_linfa, epsilon = 1e-3);
    }
}

/// On kernel matrices of rank 4, 10 and 6 with a small λ the dual is all but linear along directions that take many multipliers: pairs alone did not
/// end within 100,000,000.
#[test]
fn low_rank_and_little_regularisation_end_too() {
    // (k + c)^p.
    let (linear, quadratic) = ((0.0, 1), (1.0, 2));
    let problems = [
        (
            14_177_775_358_191_191_925,
            (31, 4),
            0.447_563_386_235_5,
            -2.767_561_562_947_431_5,
            linear,
        ),
        (
            562_180_224_479_984_369,
            (28, 3),
            0.565_227_470_069_542_8,
            -2.264_709_081_919_775_3,
            quadratic,
        ),
        (
            195_474_916_045_155_614,
            (30, 6),
            0.376_454_502_113_617_75,
            -2.320_350_298_474_618_7,
            linear,
        ),
    ];
    for (seed, shape, positive, log_lambda, (c, p)) in problems {
        let data = gaussians(seed, shape, 1.0, positive, 0.0);
        let gram = data.phi.dot(&data.phi.t()).mapv(|k| (k + c).powi(p));
        let solution = fit(&gram, &data.y, 10.0_f64.powf(log_lambda), 1e-8);
        assert_eq!(solution.status, Status::Solved);
        assert!(solution.iterations < 10_000, "{}", solution.iterations);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Far from the origin too, where nearly all of the matrix is common to its entries.
    #[test]
    fn matrices_of_low_rank_take_few_pairs(
        seed in any::<u64>(), rows in 20..40_usize, dim in 2..7_usize, log_lambda in -3.0..-1.0_f64, place in 0..3_usize,
    ) {
        let data = gaussians(seed, (rows, dim), 1.0, 0.5, 0.0);
        let phi = data.phi + [0.0, 300.0, 1000.0][place];
        let solution = fit(&phi.dot(&phi.t()), &data.y, 10.0_f64.powf(log_lambda), 1e-6);
        prop_assert_eq!(solution.status, Status::Solved);
        prop_assert!(solution.iterations < 10_000, "{}", solution.iterations);
    }
}

/// K and λ times a power of two: the same β, to the bit.
#[test]
fn the_scale_of_the_matrix_does_not_matter() {
    let data = gaussians(3, (100, 4), 1.2, 0.4, 0.0);
    let gram = data.phi.dot(&data.phi.t());
    let as_it_is = fit(&gram, &data.y, 0.1, 1e-8);
    let scale = 2.0_f64.powi(-60);
    let small = fit(&(&gram * scale), &data.y, 0.1 * scale, 1e-8);
    assert_eq!(small.alpha, as_it_is.alpha);
    assert_eq!(small.iterations, as_it_is.iterations);
}

/// Two inputs at ±1: the margin is 1 at β = ½, and with λ > ½ both are within it at α = 1, by hand.
#[test]
fn two_inputs_worked_by_hand() {
    let (gram, y) = (array![[1.0, -1.0], [-1.0, 1.0]], array![1.0, -1.0]);
    let loose = fit(&gram, &y, 0.5, 1e-12);
    assert_relative_eq!(loose.beta, array![0.5, -0.5], epsilon = 1e-12);
    assert_relative_eq!(loose.objective, 0.25, epsilon = 1e-12);
    let tight = fit(&gram, &y, 8.0, 1e-12);
    assert_eq!(tight.alpha, array![1.0, 1.0]);
    assert_relative_eq!(tight.objective, 1.75, epsilon = 1e-12);
    assert_relative_eq!(tight.dual_objective, 1.75, epsilon = 1e-12);
}

/// Equal inputs of both classes, and a matrix of zeros: curvatures along pairs are 0.
#[test]
fn inputs_that_cannot_be_told_apart_have_an_optimum_too() {
    let y = array![1.0, -1.0, 1.0, -1.0, 1.0];
    for gram in [Array2::zeros((5, 5)), Array2::ones((5, 5))] {
        let solution = fit(&gram, &y, 0.1, 1e-9);
        assert_eq!(solution.status, Status::Solved);
        assert_relative_eq!(solution.objective, 4.0, epsilon = 1e-9);
    }
}

#[test]
fn too_few_iterations_are_told() {
    let data = gaussians(3, (100, 4), 1.2, 0.4, 0.0);
    let gram = data.phi.dot(&data.phi.t());
    let settings = GramSettings {
        max_iterations: 7,
        ..GramSettings::default()
    };
    let solution = fit_gram_svm(gram.view(), data.y.view(), 0.1, &settings).unwrap();
    assert_eq!(
        (solution.status, solution.iterations),
        (Status::IterationLimit, 7)
    );
    let (primal, dual) = values(&gram, &data.y, 0.1, &solution);
    assert_relative_eq!(
        solution.relative_gap.value(),
        (primal - dual) / primal,
        epsilon = 1e-12
    );
    assert!(solution.relative_gap.value() > 1e-3);
}

#[test]
fn bad_input_is_refused() {
    let refused = |gram: Array2<f64>, y: Array1<f64>, lambda, settings: GramSettings| {
        fit_gram_svm(gram.view(), y.view(), lambda, &settings).unwrap_err()
    };
    let (good, y, usual) = (Array2::eye(2), array![1.0, -1.0], GramSettings::default());
    let setting = |error| matches!(error, SolverError::Setting { .. });
    assert!(matches!(
        refused(good.clone(), y.clone(), 0.0, usual),
        SolverError::Lambda(_)
    ));
    assert!(setting(refused(good.clone(), y.clone(), 1e-320, usual)));
    let large = Array2::eye(2) * 1e200;
    assert!(setting(refused(large, y.clone(), 1e-200, usual)));
    assert!(setting(refused(
        array![[1.0, 0.5], [0.0, 1.0]],
        y.clone(),
        1.0,
        usual
    )));
    assert!(setting(refused(
        array![[-1.0, 0.0], [0.0, 1.0]],
        y.clone(),
        1.0,
        usual
    )));
    let shape = |error| matches!(error, SolverError::Shape { .. });
    assert!(shape(refused(Array2::zeros((2, 3)), y.clone(), 1.0, usual)));
    assert!(shape(refused(Array2::eye(3), y.clone(), 1.0, usual)));
    let nan = refused(array![[f64::NAN, 0.0], [0.0, 1.0]], y.clone(), 1.0, usual);
    assert!(matches!(nan, SolverError::NotFinite { .. }));
    let one_class = refused(good.clone(), array![1.0, 1.0], 1.0, usual);
    assert!(matches!(one_class, SolverError::OneClass { .. }));
    for settings in [
        GramSettings {
            tolerance: 0.0,
            ..usual
        },
        GramSettings {
            tolerance: f64::NAN,
            ..usual
        },
        GramSettings {
            max_iterations: 0,
            ..usual
        },
    ] {
        assert!(setting(refused(good.clone(), y.clone(), 1.0, settings)));
    }
}
