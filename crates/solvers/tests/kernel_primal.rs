//! The kernel SVM in the primal against its dual, and kernel ridge regression of several classes.

mod common;

use approx::assert_relative_eq;
use common::{gaussians, normals};
use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::data::LabelledDataset;
use robust_svm_core::distribution::InputKernel;
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::DecisionFunction;
use robust_svm_solvers::{
    Classifier, InteriorPointSettings, KernelSettings, SolverError, fit_kernel_ridge,
    fit_kernel_svm, fit_kernel_svm_primal, fit_multiclass_ridge,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    /// The same optimum as the dual's method, a certified gap, and an objective that is the model's.
    #[test]
    fn primal_and_dual_meet(
        seed in any::<u64>(), rows in 4..60_usize, sigma in 0.3..6.0_f64, log_lambda in -2.0..2.0_f64, twice in any::<bool>(),
    ) {
        let mut data = gaussians(seed, (rows, 3), 1.5, 0.4, 0.0);
        if twice {
            // The same point twice: K is singular.
            let row = data.phi.row(0).to_owned();
            data.phi.row_mut(rows - 1).assign(&row);
        }
        let lambda = 10.0_f64.powf(log_lambda);
        let kernel = GaussianKernel::new(sigma).unwrap();
        let (x, y) = (data.phi.view(), data.y.view());
        let primal = fit_kernel_svm_primal(kernel, x, y, lambda, &InteriorPointSettings::default()).unwrap();
        prop_assert!(primal.relative_gap.value() <= 1e-6, "{}", primal.relative_gap);
        let dual = fit_kernel_svm(kernel, x, y, lambda, &KernelSettings::default()).unwrap();
        let allowed = 2e-6 + dual.relative_gap.value();
        prop_assert!((primal.objective - dual.objective).abs() <= allowed * dual.objective);
        prop_assert!(primal.dual_objective <= dual.objective * (1.0 + 1e-9));
        prop_assert!(dual.dual_objective <= primal.objective * (1.0 + 1e-9));
        let f = primal.model.decision(x);
        let hinge: f64 = f.iter().zip(y).map(|(f, y)| (1.0 - y * f).max(0.0)).sum();
        let objective = 0.5 * lambda * primal.model.norm().powi(2) + hinge;
        prop_assert!((objective - primal.objective).abs() <= 1e-7 * (1.0 + objective), "{objective} {}", primal.objective);
        // The multipliers' feasibility.
        prop_assert!(primal.alpha.iter().all(|a| (0.0..=1.0).contains(a)));
        prop_assert!(primal.alpha.dot(&y).abs() <= 1e-9 * rows as f64);
    }

    /// Two classes: column 1 less column 0 of one-hot targets is the ridge classifier of labels ±1, and so with leaving one out.
    #[test]
    fn ridge_of_two_classes_is_the_binary_one(seed in any::<u64>(), rows in 4..30_usize, log_lambda in -2.0..2.0_f64) {
        let data = gaussians(seed, (rows, 3), 1.5, 0.4, 0.0);
        let lambda = 10.0_f64.powf(log_lambda);
        let kernel = GaussianKernel::new(1.1).unwrap();
        let binary = fit_kernel_ridge(kernel, data.phi.view(), data.y.view(), lambda).unwrap();
        let labels = data.y.iter().map(|y| usize::from(*y > 0.0)).collect();
        let labelled = LabelledDataset::new(data.phi.clone(), labels, 2).unwrap();
        let found = fit_multiclass_ridge(InputKernel::Gaussian(kernel), &labelled, lambda).unwrap();
        let difference = &found.alpha.column(1) - &found.alpha.column(0);
        assert_relative_eq!(difference, binary.alpha, epsilon = 1e-9);
        let difference = &found.leave_one_out.column(1) - &found.leave_one_out.column(0);
        assert_relative_eq!(difference, binary.leave_one_out, epsilon = 1e-9);
    }

    /// Stationarity `(K + λI)A = T`, and leaving one out by doing so.
    #[test]
    fn ridge_is_stationary_and_leaves_one_out(seed in any::<u64>(), rows in 8..16_usize, kind in 0..3, log_lambda in -1.0..2.0_f64) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let kernel = match kind {
            0 => InputKernel::Linear,
            1 => InputKernel::Quadratic,
            _ => InputKernel::Gaussian(GaussianKernel::new(1.0).unwrap()),
        };
        let x = normals(&mut rng, (rows, 2));
        let labels: Vec<usize> = (0..rows).map(|i| if i < 6 { i % 3 } else { rng.gen_range(0..3) }).collect();
        let data = LabelledDataset::new(x, labels, 3).unwrap();
        let lambda = 10.0_f64.powf(log_lambda);
        let found = fit_multiclass_ridge(kernel, &data, lambda).unwrap();
        let fitted = found.decisions(data.x().view()).unwrap() + &(&found.alpha * lambda);
        let targets = Array2::from_shape_fn((rows, 3), |(i, c)| f64::from(u8::from(data.labels()[i] == c)));
        assert_relative_eq!(fitted, targets, epsilon = 1e-8);
        let mut wrong = 0;
        for i in 0..rows {
            let others: Vec<usize> = (0..rows).filter(|&j| j != i).collect();
            let without = fit_multiclass_ridge(kernel, &data.select(&others), lambda).unwrap();
            let own = data.select(&[i]);
            let f = without.decisions(own.x().view()).unwrap();
            assert_relative_eq!(f.row(0), found.leave_one_out.row(i), epsilon = 1e-8);
            wrong += usize::from(without.predict(own.x().view()).unwrap() != own.labels());
        }
        prop_assert!((found.leave_one_out_error * rows as f64 - wrong as f64).abs() < 1e-9);
    }
}

#[test]
fn bad_input_is_refused() {
    let kernel = GaussianKernel::new(1.0).unwrap();
    let fit = |x: Array2<f64>, y: Array1<f64>, lambda| {
        fit_kernel_svm_primal(
            kernel,
            x.view(),
            y.view(),
            lambda,
            &InteriorPointSettings::default(),
        )
    };
    let (x, y) = (array![[0.0], [1.0]], array![1.0, -1.0]);
    assert!(matches!(
        fit(x.clone(), y.clone(), 0.0),
        Err(SolverError::Lambda(_))
    ));
    assert!(matches!(
        fit(x.clone(), array![1.0, 1.0], 1.0),
        Err(SolverError::OneClass { .. })
    ));
    let far = fit(array![[1e200], [0.0]], y, 1.0);
    assert!(matches!(
        far,
        Err(SolverError::NotFinite {
            what: "kernel matrix",
            ..
        })
    ));
    let two = LabelledDataset::new(x.clone(), vec![0, 1], 2).unwrap();
    let fitted = fit_multiclass_ridge(InputKernel::Quadratic, &two, 1.0).unwrap();
    let overflow = fitted.predict(array![[1e200]].view());
    assert!(matches!(overflow, Err(SolverError::NotFinite { .. })));
    let ridge = |x, labels, lambda| {
        let data = LabelledDataset::new(x, labels, 2).unwrap();
        fit_multiclass_ridge(InputKernel::Linear, &data, lambda).map(|_| ())
    };
    assert!(matches!(
        ridge(x.clone(), vec![0, 1], -1.0),
        Err(SolverError::Lambda(_))
    ));
    assert!(matches!(
        ridge(x, vec![1, 1], 1.0),
        Err(SolverError::OneClass { .. })
    ));
    let singular = ridge(array![[1.0], [1.0]], vec![0, 1], 1e-300);
    assert!(matches!(
        singular,
        Err(SolverError::NotPositiveDefinite { .. })
    ));
}
