//! The interface of a trained model, and the kinds there are.

use super::{FeatureModel, KernelModel, RadialModel};
use ndarray::{Array1, Array2, ArrayView2};

/// A differentiable decision function f; a point is put in the class of the sign of f.
pub trait DecisionFunction {
    /// `f(x_i)` for each row of `x` (p × n).
    ///
    /// # Panics
    /// If `x` is not as wide as the training inputs.
    fn decision(&self, x: ArrayView2<'_, f64>) -> Array1<f64>;

    /// `f(x_i)` (p) and `∇f(x_i)` (p × n).
    ///
    /// # Panics
    /// If `x` is not as wide as the training inputs.
    fn decision_and_gradient(&self, x: ArrayView2<'_, f64>) -> (Array1<f64>, Array2<f64>);
}

/// A trained model of any kind.
#[derive(Debug, Clone)]
pub enum Model {
    /// Linear in explicit features.
    Feature(FeatureModel),
    /// An expansion over training points.
    Kernel(KernelModel),
    /// An expansion over training points that are uncertain.
    Radial(RadialModel),
}

impl DecisionFunction for Model {
    fn decision(&self, x: ArrayView2<'_, f64>) -> Array1<f64> {
        match self {
            Self::Feature(model) => model.decision(x),
            Self::Kernel(model) => model.decision(x),
            Self::Radial(model) => model.decision(x),
        }
    }

    fn decision_and_gradient(&self, x: ArrayView2<'_, f64>) -> (Array1<f64>, Array2<f64>) {
        match self {
            Self::Feature(model) => model.decision_and_gradient(x),
            Self::Kernel(model) => model.decision_and_gradient(x),
            Self::Radial(model) => model.decision_and_gradient(x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DecisionFunction, FeatureModel, KernelModel, Model};
    use crate::features::{FeatureMap, Features, Identity, Nystrom, Rff};
    use crate::kernel::GaussianKernel;
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};
    use std::sync::Arc;

    /// One model of every kind, on random data.
    fn models(seed: u64, n: usize, sigma: f64) -> Vec<Model> {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let kernel = GaussianKernel::new(sigma).unwrap();
        let rff = Rff::draw(kernel, n, 16, &mut rng).unwrap();
        let phased = Rff::draw_phased(kernel, n, 16, &mut rng).unwrap();
        let mut normal = || StandardNormal.sample(&mut rng);
        let points: Array2<f64> = Array2::from_shape_simple_fn((9, n), &mut normal);
        let beta: Array1<f64> = Array1::from_shape_simple_fn(9, &mut normal);
        let nystrom = Nystrom::new(kernel, points.clone()).unwrap();
        let mut all = vec![Model::Kernel(KernelModel::new(
            kernel,
            points.view(),
            beta.view(),
            0.3,
        ))];
        // ζ in the span of the points' images, as the representer theorem has it: a free ζ would load
        // the directions of the smallest eigenvalues and drown the differences in rounding.
        for features in [
            Features::Identity(Identity::new(n)),
            Features::Rff(Arc::new(rff)),
            Features::Nystrom(Arc::new(nystrom)),
            Features::Rff(Arc::new(phased)),
        ] {
            all.push(Model::Feature(FeatureModel {
                zeta: features.transform(points.view()).t().dot(&beta),
                features,
                intercept: 0.3,
            }));
        }
        all
    }

    proptest! {
        /// With every support point a landmark, the Nyström model is the kernel model.
        #[test]
        fn nystrom_on_all_points_is_the_exact_kernel(
            seed in any::<u64>(), n in 1..5_usize, sigma in 0.5..2.0_f64,
        ) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed ^ 1);
            let x = Array2::from_shape_simple_fn((3, n), || StandardNormal.sample(&mut rng));
            let models = models(seed, n, sigma);
            assert_relative_eq!(
                models[0].decision(x.view()), models[3].decision(x.view()), epsilon = 1e-4
            );
        }

        #[test]
        fn gradients_agree_with_central_differences(
            seed in any::<u64>(), n in 1..5_usize, sigma in 0.5..4.0_f64,
        ) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed ^ 1);
            let x = Array2::from_shape_simple_fn((3, n), || StandardNormal.sample(&mut rng));
            let h = 1e-5;
            for model in models(seed, n, sigma) {
                let (values, gradient) = model.decision_and_gradient(x.view());
                assert_relative_eq!(values, model.decision(x.view()), epsilon = 1e-8, max_relative = 1e-8);
                let scale = gradient.iter().fold(1.0_f64, |m, g| m.max(g.abs()));
                for k in 0..n {
                    let step = |sign: f64| {
                        let mut moved = x.clone();
                        moved.column_mut(k).mapv_inplace(|v| v + sign * h);
                        model.decision_and_gradient(moved.view()).0
                    };
                    let difference = (step(1.0) - step(-1.0)) / (2.0 * h);
                    for (g, d) in gradient.column(k).iter().zip(&difference) {
                        prop_assert!((g - d).abs() <= 1e-6 * scale, "{g} against {d}");
                    }
                }
            }
        }
    }
}
