//! The kernel ridge classifier: a case by hand, its optimality conditions, and leaving one out by doing so.

mod common;

use approx::assert_relative_eq;
use common::{gaussians, normals};
use ndarray::{Array2, Axis, array};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::linalg::positive_definite_solve;
use robust_svm_core::model::DecisionFunction;
use robust_svm_solvers::{SolverError, fit_kernel_ridge};

/// Two points, labels ±1, k their kernel: α = ±1/(1 + λ − k), and without the first f(x_1) = −k/(1 + λ).
#[test]
fn two_points_by_hand() {
    let kernel = GaussianKernel::new(1.0).unwrap();
    let k = (-0.5_f64).exp();
    for lambda in [0.01, 0.5, 3.0] {
        let (x, y) = (array![[0.0], [1.0]], array![1.0, -1.0]);
        let found = fit_kernel_ridge(kernel, x.view(), y.view(), lambda).unwrap();
        let a = 1.0 / (1.0 + lambda - k);
        assert_relative_eq!(found.alpha, array![a, -a], max_relative = 1e-13);
        let left_out = -k / (1.0 + lambda);
        assert_relative_eq!(
            found.leave_one_out,
            array![left_out, -left_out],
            max_relative = 1e-13
        );
        // Each by itself is put into the other's class.
        assert_eq!(found.leave_one_out_error, 1.0);
        // f = ±(1 − k)a at the points, and ‖f‖² = 2(1 − k)a².
        let value = ((1.0 - k) * a - 1.0).powi(2) + lambda * (1.0 - k) * a * a;
        assert_relative_eq!(found.objective, value, max_relative = 1e-13);
        assert_relative_eq!(found.dual_objective, value, max_relative = 1e-13);
        assert_eq!(found.model.intercept(), 0.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// Stationarity, `f(x_i) + λα_i = y_i`, through the model; and no step in any direction does better.
    #[test]
    fn the_conditions_of_optimality_hold(
        seed in any::<u64>(), rows in 2..40_usize, dim in 1..6_usize, sigma in 0.3..5.0_f64, log_lambda in -4.0..3.0_f64,
    ) {
        let data = gaussians(seed, (rows, dim), 1.5, 0.4, 0.0);
        let lambda = 10.0_f64.powf(log_lambda);
        let kernel = GaussianKernel::new(sigma).unwrap();
        let found = fit_kernel_ridge(kernel, data.phi.view(), data.y.view(), lambda).unwrap();
        let f = found.model.decision(data.phi.view());
        for ((f, alpha), y) in f.iter().zip(&found.alpha).zip(&data.y) {
            prop_assert!((f + lambda * alpha - y).abs() <= 1e-9, "{f} {alpha} {y}");
        }
        prop_assert!(found.relative_gap.value() <= 1e-8, "{}", found.relative_gap);
        let gram = kernel.matrix(data.phi.view(), data.phi.view());
        let value = |alpha: &ndarray::Array1<f64>| {
            let f = gram.dot(alpha);
            let residual = &f - &data.y;
            0.5 * residual.dot(&residual) + 0.5 * lambda * alpha.dot(&f)
        };
        assert_relative_eq!(value(&found.alpha), found.objective, max_relative = 1e-9);
        let steps = normals(&mut ChaCha20Rng::seed_from_u64(seed), (5, rows));
        for step in steps.outer_iter() {
            for size in [1e-3, 0.1, 10.0] {
                prop_assert!(value(&(&found.alpha + &(&step * size))) >= found.objective * (1.0 - 1e-9));
            }
        }
    }

    /// The closed form against a fit without each sample.
    #[test]
    fn leaving_one_out_is_fitting_the_others(
        seed in any::<u64>(), rows in 6..20_usize, sigma in 0.3..3.0_f64, log_lambda in -2.0..2.0_f64,
    ) {
        let mut data = gaussians(seed, (rows, 3), 1.5, 0.4, 0.0);
        // Two of each class at least, so that both are left.
        (data.y[2], data.y[3]) = (1.0, -1.0);
        let lambda = 10.0_f64.powf(log_lambda);
        let kernel = GaussianKernel::new(sigma).unwrap();
        let found = fit_kernel_ridge(kernel, data.phi.view(), data.y.view(), lambda).unwrap();
        // H of f = Hy, for the closed form of the literature.
        let gram = kernel.matrix(data.phi.view(), data.phi.view());
        let hat = positive_definite_solve(&gram + Array2::<f64>::eye(rows) * lambda, gram).unwrap();
        let fitted = found.model.decision(data.phi.view());
        let mut wrong = (0, 0);
        for i in 0..rows {
            let others: Vec<usize> = (0..rows).filter(|&j| j != i).collect();
            let (x, y) = (data.phi.select(Axis(0), &others), data.y.select(Axis(0), &others));
            let without = fit_kernel_ridge(kernel, x.view(), y.view(), lambda).unwrap();
            let own = data.phi.select(Axis(0), &[i]);
            let f = without.model.decision(own.view())[0];
            prop_assert!((f - found.leave_one_out[i]).abs() <= 1e-9);
            let residual = (data.y[i] - fitted[i]) / (1.0 - hat[(i, i)]);
            prop_assert!((data.y[i] - f - residual).abs() <= 1e-8, "{residual} {f}");
            wrong.0 += usize::from(data.y[i] * f < -1e-9);
            wrong.1 += usize::from(data.y[i] * f < 1e-9);
        }
        // Far from all others f is 0 to rounding.
        let error = found.leave_one_out_error * rows as f64;
        prop_assert!(wrong.0 as f64 - 0.5 < error && error < wrong.1 as f64 + 0.5, "{error} {wrong:?}");
    }
}

#[test]
fn bad_input_is_refused() {
    let kernel = GaussianKernel::new(1.0).unwrap();
    let fit = |kernel, x: Array2<f64>, y: ndarray::Array1<f64>, lambda| {
        fit_kernel_ridge(kernel, x.view(), y.view(), lambda).unwrap_err()
    };
    let (x, y) = (array![[0.0], [1.0]], array![1.0, -1.0]);
    assert_eq!(
        fit(kernel, x.clone(), y.clone(), 0.0),
        SolverError::Lambda(0.0)
    );
    assert_eq!(
        fit(kernel, x.clone(), array![1.0, 1.0], 1.0),
        SolverError::OneClass { rows: 2 }
    );
    let not_finite = fit(kernel, array![[f64::NAN], [1.0]], y.clone(), 1.0);
    assert!(matches!(
        not_finite,
        SolverError::NotFinite {
            what: "inputs",
            row: 0,
            column: 0
        }
    ));
    let without_columns = fit(kernel, Array2::zeros((2, 0)), y.clone(), 1.0);
    assert!(matches!(without_columns, SolverError::Shape { .. }));
    let tiny = GaussianKernel::new(1e-200).unwrap();
    assert!(matches!(
        fit(tiny, x, y.clone(), 1.0),
        SolverError::Setting { name: "sigma", .. }
    ));
    // The same point twice: K is singular, and λ is lost beside 1.
    let twice = fit(kernel, array![[1.0], [1.0]], y.clone(), 1e-300);
    assert_eq!(twice, SolverError::NotPositiveDefinite { lambda: 1e-300 });
    // Squares that overflow.
    let far = fit(kernel, array![[1e200], [0.0]], y, 1.0);
    assert!(
        matches!(
            far,
            SolverError::NotFinite {
                what: "kernel matrix",
                ..
            }
        ),
        "{far:?}"
    );
}
