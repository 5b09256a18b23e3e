//! Random models and sets.

use ndarray::{Array1, Array2};
use rand::Rng;
use rand_chacha::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::linalg::symmetric_eigen;
use robust_svm_core::model::{FeatureModel, KernelModel, Model, RadialModel};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use std::sync::Arc;

/// Sizes from where rounding could hide a violation to where the sets dwarf the bandwidth.
pub(crate) const GAMMAS: [f64; 6] = [1e-8, 1e-4, 0.03, 0.4, 1.5, 5.0];

pub(crate) fn normal_matrix(rows: usize, n: usize, rng: &mut ChaCha20Rng) -> Array2<f64> {
    Array2::from_shape_simple_fn((rows, n), || StandardNormal.sample(rng))
}

pub(crate) fn normal_vector(n: usize, rng: &mut ChaCha20Rng) -> Array1<f64> {
    Array1::from_shape_simple_fn(n, || StandardNormal.sample(rng))
}

/// The sphere, a diagonal and a full set with the norm. Where n > 1 the diagonal's first scale is 0 and
/// every other full factor is singular: its first column is 0.
pub(crate) fn sets(norm: Norm, n: usize, rng: &mut ChaCha20Rng) -> [UncertaintySet; 3] {
    let mut scales = Array1::from_shape_simple_fn(n, || rng.gen_range(0.1..2.0));
    if n > 1 {
        scales[0] = 0.0;
    }
    let mut full = full_factor(n, rng);
    if n > 1 && rng.r#gen() {
        full.column_mut(0).fill(0.0);
    }
    [
        Factor::Identity,
        Factor::Diagonal(scales),
        Factor::Full(full),
    ]
    .map(|factor| UncertaintySet::new(norm, factor).unwrap())
}

/// `Q diag(s) Pᵀ` with singular values s between 0.1 and 2, Q and P the eigenvectors of random matrices.
fn full_factor(n: usize, rng: &mut ChaCha20Rng) -> Array2<f64> {
    let mut rotation = || symmetric_eigen(normal_matrix(n, n, rng).view()).unwrap().1;
    let (left, right) = (rotation(), rotation());
    let values = Array1::from_shape_simple_fn(n, || rng.gen_range(0.1..2.0));
    (left * values).dot(&right.t())
}

/// A model of each kind on `R^n` at bandwidth σ: linear, paired RFF, phased RFF, Nyström, exact kernel, exact kernel on
/// uncertain points, of variances from 0 to 2σ².
pub(crate) fn models(n: usize, sigma: f64, intercept: f64, rng: &mut ChaCha20Rng) -> [Model; 6] {
    let kernel = GaussianKernel::new(sigma).unwrap();
    let points = normal_matrix(10, n, rng);
    let beta = normal_vector(10, rng);
    let features = [
        Features::Identity(Identity::new(n)),
        Features::Rff(Arc::new(Rff::draw(kernel, n, 24, rng).unwrap())),
        Features::Rff(Arc::new(Rff::draw_phased(kernel, n, 24, rng).unwrap())),
        Features::Nystrom(Arc::new(Nystrom::new(kernel, points.clone()).unwrap())),
    ];
    let [linear, paired, phased, nystrom] = features.map(|features| {
        // As the representer theorem has it: ζ in the span of the points' images.
        Model::Feature(FeatureModel {
            zeta: features.transform(points.view()).t().dot(&beta),
            features,
            intercept,
        })
    });
    let exact = KernelModel::new(kernel, points.view(), beta.view(), intercept);
    let variances = Array1::from_shape_fn(10, |i| sigma * sigma * (i % 5) as f64 / 2.0);
    let radial = RadialModel::new(
        kernel,
        points.view(),
        variances.view(),
        beta.view(),
        intercept,
    );
    let radial = Model::Radial(radial.unwrap());
    [
        linear,
        paired,
        phased,
        nystrom,
        Model::Kernel(exact),
        radial,
    ]
}

/// How exactly `⟨ζ, φ(x)⟩` is computed.
pub(crate) trait ExpansionError {
    /// An absolute error for weights `zeta`.
    fn evaluation_error(&self, zeta: &Array1<f64>) -> f64;
}

impl ExpansionError for Features {
    fn evaluation_error(&self, zeta: &Array1<f64>) -> f64 {
        let weights = match self {
            Features::Nystrom(map) => map.landmark_coefficients(zeta.view()),
            Features::Rff(_) | Features::Identity(_) => zeta.clone(),
        };
        let mass: f64 = weights.iter().map(|w| w.abs()).sum();
        1e-14 * mass
    }
}
