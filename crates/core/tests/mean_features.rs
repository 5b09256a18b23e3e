//! Mean random Fourier features against draws and against the kernel they stand for, and models on distributions.

mod support;

use approx::assert_relative_eq;
use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};
use robust_svm_core::CoreError;
use robust_svm_core::distribution::{
    Covariances, GaussianInputs, InputKernel, NoiseDistribution, mean_features,
};
use robust_svm_core::features::{FeatureMap, Rff};
use robust_svm_core::kernel::{GaussianKernel, distance};
use robust_svm_core::model::{DecisionFunction, MeasureModel, RadialModel};
use support::{Kind, inputs, points};

/// A paired, a phased and an orthogonal map of `R^n`.
fn maps(kernel: GaussianKernel, n: usize, dim: usize, rng: &mut ChaCha20Rng) -> [Rff; 3] {
    [
        Rff::draw(kernel, n, dim, rng).unwrap(),
        Rff::draw_phased(kernel, n, dim, rng).unwrap(),
        Rff::draw_orthogonal(kernel, n, dim, rng).unwrap(),
    ]
}

/// The mean of `values` and its standard error.
fn mean_and_error(values: &Array1<f64>) -> (f64, f64) {
    (
        values.mean().unwrap(),
        values.std(1.0) / (values.len() as f64).sqrt(),
    )
}

/// Within 5 standard errors at every feature.
#[test]
fn mean_features_are_the_means_over_draws() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let kernel = GaussianKernel::new(1.5).unwrap();
    for kind in Kind::ALL {
        let inputs = inputs(kind, 2, 3, &mut rng);
        let noise = NoiseDistribution::Normal(inputs.covariances().clone());
        let drawn = noise.draw(inputs.means(), 4000, &mut rng).unwrap();
        for map in maps(kernel, 3, 12, &mut rng) {
            let means = mean_features(&map, &inputs).unwrap();
            for (mean, draws) in means.outer_iter().zip(drawn.draws()) {
                let features = map.transform(draws.view());
                for (mean, values) in mean.iter().zip(features.columns()) {
                    let (estimate, error) = mean_and_error(&values.to_owned());
                    let apart = (mean - estimate).abs();
                    assert!(
                        apart <= 5.0 * error + 1e-12,
                        "{kind:?}: {mean} {estimate} ± {error}"
                    );
                }
            }
        }
    }
}

/// Products of mean features over 400 maps, of every kind, have the closed form as their mean, within 5 standard errors; those of
/// an input with itself too.
#[test]
fn products_of_mean_features_tend_to_the_kernel() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let kernel = GaussianKernel::new(1.3).unwrap();
    for kind in Kind::ALL {
        let inputs = inputs(kind, 3, 2, &mut rng);
        let exact = InputKernel::Gaussian(kernel)
            .matrix(&inputs, &inputs)
            .unwrap();
        let mut products = [const { Vec::new() }; 3];
        for _ in 0..400 {
            for (map, products) in maps(kernel, 2, 32, &mut rng).iter().zip(&mut products) {
                let features = mean_features(map, &inputs).unwrap();
                products.push(features.dot(&features.t()));
            }
        }
        for products in products {
            for ((i, j), exact) in exact.indexed_iter() {
                let values: Array1<f64> = products.iter().map(|p| p[(i, j)]).collect();
                let (estimate, error) = mean_and_error(&values);
                let apart = (estimate - exact).abs();
                assert!(
                    apart <= 5.0 * error + 1e-12,
                    "{kind:?}: {exact} {estimate} ± {error}"
                );
            }
        }
    }
}

/// A model of every kernel on inputs of `kind`.
fn models(kind: Kind, n: usize, sigma: f64, rng: &mut ChaCha20Rng) -> Vec<MeasureModel> {
    let inputs = inputs(kind, 6, n, rng);
    let mut beta = Array1::from_shape_simple_fn(6, || StandardNormal.sample(rng));
    beta[2] = 0.0;
    let kernel = GaussianKernel::new(sigma).unwrap();
    [
        InputKernel::Linear,
        InputKernel::Quadratic,
        InputKernel::Gaussian(kernel),
    ]
    .into_iter()
    .map(|kernel| MeasureModel::new(kernel, &inputs, beta.view(), 0.3).unwrap())
    .collect()
}

/// What has no number for its norm is no model.
#[test]
fn models_that_are_no_numbers_are_refused() {
    let (x, beta) = (array![[0.0], [1.0]], array![1.0, -1.0]);
    let radial = |sigma: f64, v: f64, beta: &Array1<f64>| {
        let kernel = GaussianKernel::new(sigma).unwrap();
        RadialModel::new(kernel, x.view(), array![v, 0.0].view(), beta.view(), 0.0)
    };
    assert!(radial(1.0, 0.5, &beta).is_ok());
    let nan = radial(1.0, 0.5, &array![f64::NAN, 1.0]);
    assert!(matches!(nan, Err(CoreError::NotFinite { .. })));
    for (sigma, v) in [(1e-170, 0.0), (1e-170, 1.0), (1e154, 1.7e308)] {
        let refused = radial(sigma, v, &beta);
        assert!(
            matches!(refused, Err(CoreError::Parameter { .. })),
            "{sigma} {v}"
        );
    }
    let far = GaussianInputs::points(array![[1e200], [-1e200]]).unwrap();
    let far = MeasureModel::new(InputKernel::Quadratic, &far, beta.view(), 0.0);
    assert!(matches!(far, Err(CoreError::NotFinite { .. })));
    // σ²I + Σ is not positive definite, though the sum with itself may be asked for first.
    let indefinite = Covariances::Full(vec![array![[0.0, 1.5], [1.5, 0.0]], Array2::eye(2) * 9.0]);
    let indefinite = GaussianInputs::new(Array2::zeros((2, 2)), indefinite).unwrap();
    let kernel = InputKernel::Gaussian(GaussianKernel::new(1.0).unwrap());
    let refused = MeasureModel::new(kernel, &indefinite, beta.view(), 0.0);
    assert!(matches!(refused, Err(CoreError::Numerical(_))));
}

/// All coefficients 0: a constant.
#[test]
fn a_model_without_support_is_constant() {
    for kind in Kind::ALL {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        let (inputs, x) = (inputs(kind, 2, 3, &mut rng), points(4, 3, &mut rng));
        for kernel in [
            InputKernel::Linear,
            InputKernel::Quadratic,
            InputKernel::Gaussian(GaussianKernel::new(1.0).unwrap()),
        ] {
            let model = MeasureModel::new(kernel, &inputs, Array1::zeros(2).view(), 0.5).unwrap();
            let (values, gradients) = model.decision_and_gradient(x.view());
            assert_eq!(
                (values, gradients),
                (Array1::from_elem(4, 0.5), Array2::zeros((4, 3)))
            );
            assert!(model.inputs().is_empty() && model.norm() == 0.0);
        }
    }
}

proptest! {
    #[test]
    fn gradients_agree_with_central_differences(seed in any::<u64>(), n in 1..5_usize, sigma in 0.5..3.0_f64) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (x, h) = (points(3, n, &mut rng), 1e-5);
        for kind in Kind::ALL {
            for model in models(kind, n, sigma, &mut rng) {
                prop_assert_eq!(model.coefficients().len(), 5);
                let (values, gradient) = model.decision_and_gradient(x.view());
                assert_relative_eq!(values, model.decision(x.view()), epsilon = 1e-12, max_relative = 1e-12);
                let scale = gradient.iter().fold(1.0_f64, |m, g| m.max(g.abs()));
                for k in 0..n {
                    let at = |step: f64| {
                        let mut moved = x.clone();
                        moved.column_mut(k).mapv_inplace(|v| v + step);
                        model.decision(moved.view())
                    };
                    let differences = (at(h) - at(-h)) / (2.0 * h);
                    for (g, d) in gradient.column(k).iter().zip(&differences) {
                        prop_assert!((g - d).abs() <= 1e-6 * scale, "{kind:?} {:?}: {g} {d}", model.kernel());
                    }
                }
            }
        }
    }

    /// No movement changes f by more than `‖f‖_H sqrt(2 − 2κ(‖δ‖))`.
    #[test]
    fn movements_cost_no_more_than_the_norm_allows(seed in any::<u64>(), n in 1..5_usize, sigma in 0.5..3.0_f64) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (x, moved) = (points(20, n, &mut rng), points(20, n, &mut rng) * 0.5);
        let moved = &x + &moved;
        let kernel = GaussianKernel::new(sigma).unwrap();
        for kind in Kind::ALL {
            let model = models(kind, n, sigma, &mut rng).pop().unwrap();
            let change = model.decision(moved.view()) - model.decision(x.view());
            for (i, change) in change.iter().enumerate() {
                let bound = model.norm() * kernel.movement(distance(x.row(i), moved.row(i)));
                prop_assert!(change.abs() <= bound + 1e-12, "{change} above {bound}");
            }
        }
    }

    /// Inputs with covariances vI make an expansion over points, of a width each: the same function, gradients and norm.
    #[test]
    fn variances_widen_the_kernel(seed in any::<u64>(), n in 1..9_usize, v in 0.0..2.0_f64) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (means, x) = (points(6, n, &mut rng), points(5, n, &mut rng));
        let kernel = GaussianKernel::new(0.8).unwrap();
        let mut beta = Array1::from_shape_simple_fn(6, || StandardNormal.sample(&mut rng));
        beta[3] = 0.0;
        let variances = Array1::from_shape_fn(6, |i| v * i as f64);
        let covariances = Covariances::Isotropic(variances.clone());
        let inputs = GaussianInputs::new(means.clone(), covariances).unwrap();
        let model = MeasureModel::new(InputKernel::Gaussian(kernel), &inputs, beta.view(), -0.2).unwrap();
        let wide = RadialModel::new(kernel, means.view(), variances.view(), beta.view(), -0.2).unwrap();
        let (values, gradients) = model.decision_and_gradient(x.view());
        let (of_wide, slopes) = wide.decision_and_gradient(x.view());
        assert_relative_eq!(values, of_wide, epsilon = 1e-12);
        assert_relative_eq!(wide.decision(x.view()), of_wide, epsilon = 1e-14);
        assert_relative_eq!(gradients, slopes, epsilon = 1e-12);
        assert_relative_eq!(model.norm(), wide.norm(), epsilon = 1e-12);
    }

    /// Σ → 0: mean features are the features of the means.
    #[test]
    fn points_have_their_own_features(seed in any::<u64>(), n in 1..5_usize) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let x = points(3, n, &mut rng);
        let zero = GaussianInputs::new(x.clone(), Covariances::Diagonal(Array2::zeros((3, n)))).unwrap();
        for map in maps(GaussianKernel::new(1.0).unwrap(), n, 8, &mut rng) {
            prop_assert_eq!(mean_features(&map, &zero).unwrap(), map.transform(x.view()));
        }
    }
}
