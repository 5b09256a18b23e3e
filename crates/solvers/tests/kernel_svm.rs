//! The exact kernel SVM against Nyström features on all points, and its refusal of bad input.

mod common;

use approx::assert_relative_eq;
use common::gaussians;
use ndarray::{Array2, array};
use robust_svm_core::features::{FeatureMap, Nystrom};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::DecisionFunction;
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_solvers::{
    InteriorPointSettings, KernelSettings, Problem, SolverError, fit_kernel_svm, solve,
};

/// With every training point a landmark the two problems are the same one.
#[test]
fn nystrom_on_all_points_has_the_same_objective() {
    let data = gaussians(1, (120, 4), 1.5, 0.4, 0.0);
    for sigma in [0.7, 2.0] {
        let kernel = GaussianKernel::new(sigma).unwrap();
        let phi = Nystrom::new(kernel, data.phi.clone())
            .unwrap()
            .transform(data.phi.view());
        for lambda in [0.01, 0.1, 1.0, 10.0] {
            let exact = fit_kernel_svm(
                kernel,
                data.phi.view(),
                data.y.view(),
                lambda,
                &KernelSettings::default(),
            )
            .unwrap();
            assert!(exact.relative_gap.value() <= 1e-6, "{}", exact.relative_gap);
            assert!(exact.iterations.is_some_and(|n| n > 0));
            let penalty = FeaturePenalty::none(120);
            let problem = Problem::new(phi.view(), data.y.view(), &penalty, lambda).unwrap();
            let linear = solve(&problem, &InteriorPointSettings::default()).unwrap();
            assert_relative_eq!(exact.objective, linear.objective, max_relative = 2e-6);
            assert!(exact.dual_objective <= linear.objective * (1.0 + 1e-6));
        }
    }
}

/// The objective reported is that of the model returned, evaluated through the model.
#[test]
fn the_objective_is_that_of_the_model() {
    let data = gaussians(2, (60, 3), 1.0, 0.5, 0.0);
    let kernel = GaussianKernel::new(1.0).unwrap();
    let lambda = 0.3;
    let solution = fit_kernel_svm(
        kernel,
        data.phi.view(),
        data.y.view(),
        lambda,
        &KernelSettings::default(),
    )
    .unwrap();
    let f = solution.model.decision(data.phi.view());
    let hinge: f64 = f
        .iter()
        .zip(&data.y)
        .map(|(f, y)| (1.0 - y * f).max(0.0))
        .sum();
    let value = 0.5 * lambda * solution.model.norm().powi(2) + hinge;
    assert_relative_eq!(value, solution.objective, max_relative = 1e-12);
    let dual = solution.alpha.sum() - 0.5 * lambda * solution.model.norm().powi(2);
    assert_relative_eq!(dual, solution.dual_objective, max_relative = 1e-12);
}

#[test]
fn bad_input_is_refused() {
    let kernel = GaussianKernel::new(1.0).unwrap();
    let fit = |kernel, x: Array2<f64>, y: ndarray::Array1<f64>, lambda| {
        fit_kernel_svm(
            kernel,
            x.view(),
            y.view(),
            lambda,
            &KernelSettings::default(),
        )
        .unwrap_err()
    };
    let x = array![[0.0], [1.0]];
    let y = array![1.0, -1.0];
    assert!(matches!(
        fit(kernel, x.clone(), y.clone(), 0.0),
        SolverError::Lambda(_)
    ));
    assert!(matches!(
        fit(kernel, x.clone(), y.clone(), 1e-310),
        SolverError::Setting { .. }
    ));
    assert!(matches!(
        fit(kernel, x.clone(), array![1.0, 1.0], 1.0),
        SolverError::OneClass { rows: 2 }
    ));
    assert!(matches!(
        fit(kernel, Array2::zeros((0, 1)), array![], 1.0),
        SolverError::OneClass { rows: 0 }
    ));
    assert!(matches!(
        fit(kernel, array![[f64::NAN], [1.0]], y.clone(), 1.0),
        SolverError::NotFinite { .. }
    ));
    assert!(matches!(
        fit(kernel, Array2::zeros((2, 0)), y.clone(), 1.0),
        SolverError::Shape { .. }
    ));
    let tiny = GaussianKernel::new(1e-200).unwrap();
    assert!(matches!(fit(tiny, x, y, 1.0), SolverError::Setting { .. }));
}
