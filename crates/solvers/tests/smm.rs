//! Support measure machines: on points, against each other, against noisy copies of the training rows, and what they minimise.

mod common;

use approx::assert_relative_eq;
use common::gaussians;
use ndarray::{Array1, Array2, Axis, concatenate};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::distribution::{
    Covariances, GaussianInputs, InputKernel, NoiseDistribution, mean_features,
};
use robust_svm_core::features::{FeatureMap, Features, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{DecisionFunction, FeatureModel};
use robust_svm_solvers::{
    GramSettings, InteriorPointSettings, KernelSettings, fit_kernel_svm, fit_smm, fit_smm_rff,
};
use std::sync::Arc;

fn settings(tolerance: f64) -> GramSettings {
    GramSettings {
        tolerance,
        ..GramSettings::default()
    }
}

/// Inputs of a variance each, some of them 0.
fn uncertain(means: &Array2<f64>, scale: f64, seed: u64) -> GaussianInputs {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let variances = Array1::from_shape_simple_fn(means.nrows(), || rng.gen_range(0.0..scale));
    GaussianInputs::new(means.clone(), Covariances::Isotropic(variances)).unwrap()
}

/// Without uncertainty it is linfa's support vector machine.
#[test]
fn on_points_it_is_the_exact_kernel_machine() {
    let data = gaussians(5, (120, 3), 1.2, 0.5, 0.0);
    let kernel = GaussianKernel::new(1.2).unwrap();
    let points = GaussianInputs::points(data.phi.clone()).unwrap();
    for lambda in [0.05, 1.0] {
        let y = data.y.view();
        let smm = fit_smm(
            InputKernel::Gaussian(kernel),
            &points,
            y,
            lambda,
            &settings(1e-10),
        );
        let smm = smm.unwrap();
        let linfa = fit_kernel_svm(
            kernel,
            data.phi.view(),
            y,
            lambda,
            &KernelSettings::default(),
        );
        let linfa = linfa.unwrap();
        assert_relative_eq!(smm.objective, linfa.objective, max_relative = 1e-6);
        let x = gaussians(6, (40, 3), 1.2, 0.5, 0.0).phi;
        let apart = smm.model.decision(x.view()) - linfa.model.decision(x.view());
        assert!(apart.iter().all(|d| d.abs() < 1e-3), "{apart}");
    }
}

/// The objective is that of the model returned: the norm of f, and hinge losses of `E f(X_i)`, here by draws of X_i and f at points alone.
#[test]
fn the_objective_is_of_mean_decisions() {
    let data = gaussians(2, (30, 2), 1.0, 0.5, 0.0);
    let inputs = uncertain(&data.phi, 0.8, 3);
    let noise = NoiseDistribution::Normal(inputs.covariances().clone());
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    let drawn = noise.draw(inputs.means(), 4000, &mut rng).unwrap();
    let lambda = 0.2;
    for kernel in [
        InputKernel::Gaussian(GaussianKernel::new(1.0).unwrap()),
        InputKernel::Quadratic,
    ] {
        let smm = fit_smm(kernel, &inputs, data.y.view(), lambda, &settings(1e-8)).unwrap();
        assert!(smm.relative_gap.value() <= 1e-8);
        let mut expected = 0.5 * lambda * smm.model.norm().powi(2);
        let (mut jensen, mut slack) = (expected, 1e-9);
        for (draws, y) in drawn.draws().iter().zip(&data.y) {
            let f = smm.model.decision(draws.view());
            slack += 5.0 * f.std(1.0) / (f.len() as f64).sqrt();
            expected += (1.0 - y * f.mean().unwrap()).max(0.0);
            jensen += f.mapv(|f| (1.0 - y * f).max(0.0)).mean().unwrap();
        }
        let apart = (smm.objective - expected).abs();
        assert!(
            apart <= slack,
            "{} against {expected} ± {slack}",
            smm.objective
        );
        assert!(smm.objective <= jensen + slack);
    }
}

/// The linear machine gives each input a feature of its own, `sqrt(tr Σ_i)`: the minimum over these is at most that without them.
#[test]
fn uncertainty_of_the_linear_machine_is_slack() {
    let data = gaussians(4, (60, 3), 1.0, 0.5, 0.0);
    let inputs = uncertain(&data.phi, 2.0, 5);
    let points = GaussianInputs::points(data.phi.clone()).unwrap();
    let own = Array2::from_diag(&inputs.traces().mapv(f64::sqrt));
    let wide = concatenate![Axis(1), data.phi, own];
    let wide = GaussianInputs::points(wide).unwrap();
    let fit = |inputs| {
        let kernel = InputKernel::Linear;
        fit_smm(kernel, inputs, data.y.view(), 0.3, &settings(1e-9)).unwrap()
    };
    assert_relative_eq!(
        fit(&inputs).objective,
        fit(&wide).objective,
        max_relative = 1e-8
    );
    assert!(fit(&inputs).objective < 0.99 * fit(&points).objective);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// On random Fourier features: the objective is that of mean decisions, and with many features it comes near the exact kernel's.
    #[test]
    fn random_features_train_on_mean_decisions(seed in any::<u64>(), n in 1..4_usize, lambda in 0.1..2.0_f64) {
        let data = gaussians(seed, (40, n), 1.0, 0.5, 0.0);
        let inputs = uncertain(&data.phi, 1.0, seed);
        let kernel = GaussianKernel::new(1.0).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let settings = InteriorPointSettings::default();
        let map = Rff::draw(kernel, n, 600, &mut rng).unwrap();
        let solution = fit_smm_rff(&map, &inputs, data.y.view(), lambda, &settings).unwrap();
        let f = mean_features(&map, &inputs).unwrap().dot(&solution.zeta) + solution.intercept;
        let losses: f64 = f.iter().zip(&data.y).map(|(f, y)| (1.0 - y * f).max(0.0)).sum();
        let value = 0.5 * lambda * solution.zeta.dot(&solution.zeta) + losses;
        assert_relative_eq!(value, solution.objective, max_relative = 1e-9);
        let exact = fit_smm(InputKernel::Gaussian(kernel), &inputs, data.y.view(), lambda, &GramSettings::default());
        let exact = exact.unwrap();
        prop_assert!((exact.objective - value).abs() <= 0.25 * exact.objective, "{} {value}", exact.objective);
        let model = FeatureModel {
            zeta: solution.zeta,
            features: Features::Rff(Arc::new(map.clone())),
            intercept: solution.intercept,
        };
        let at = model.decision(data.phi.view());
        let plain = map.transform(data.phi.view()).dot(&model.zeta) + model.intercept;
        assert_relative_eq!(at, plain, epsilon = 1e-9);
    }
}

/// As labels that do not belong to the inputs.
#[test]
fn shapes_are_checked() {
    let inputs = GaussianInputs::points(Array2::eye(3)).unwrap();
    let y = Array1::from(vec![1.0, -1.0]);
    assert!(fit_smm(InputKernel::Linear, &inputs, y.view(), 1.0, &settings(1e-6)).is_err());
    let mut rng = ChaCha20Rng::seed_from_u64(0);
    let map = Rff::draw(GaussianKernel::new(1.0).unwrap(), 2, 4, &mut rng).unwrap();
    let y = Array1::from(vec![1.0, -1.0, 1.0]);
    assert!(
        fit_smm_rff(
            &map,
            &inputs,
            y.view(),
            1.0,
            &InteriorPointSettings::default()
        )
        .is_err()
    );
}
