//! What training on blocks asks of a feature map.

use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff};

/// A feature map that also writes its features in single precision, for the steps of the stochastic methods.
/// Certificates and the interior-point method take those in double precision.
pub trait BlockFeatures: FeatureMap {
    /// Writes `φ(x_i)` for each row of `x` (p × n) into `out` (p × D), to the accuracy of f32.
    ///
    /// # Panics
    /// If `x` is not n wide, or `out` not p × D with rows in one piece of memory.
    fn transform_single_into(&self, x: ArrayView2<'_, f32>, out: ArrayViewMut2<'_, f32>) {
        round_into(self, x, out);
    }
}

/// The features in double precision, rounded.
fn round_into(
    map: &(impl FeatureMap + ?Sized),
    x: ArrayView2<'_, f32>,
    mut out: ArrayViewMut2<'_, f32>,
) {
    let x = x.mapv(f64::from);
    let mut features = Array2::zeros((x.nrows(), map.dim()));
    map.transform_into(x.view(), features.view_mut());
    out.zip_mut_with(&features, |out, φ| *out = *φ as f32);
}

impl BlockFeatures for Identity {
    fn transform_single_into(&self, x: ArrayView2<'_, f32>, mut out: ArrayViewMut2<'_, f32>) {
        assert_eq!(x.dim(), out.dim(), "one row of features a point");
        out.assign(&x);
    }
}

impl BlockFeatures for Rff {}

impl BlockFeatures for Nystrom {}

impl BlockFeatures for Features {
    fn transform_single_into(&self, x: ArrayView2<'_, f32>, out: ArrayViewMut2<'_, f32>) {
        match self {
            Self::Identity(map) => map.transform_single_into(x, out),
            Self::Rff(map) => map.transform_single_into(x, out),
            Self::Nystrom(map) => map.transform_single_into(x, out),
        }
    }
}
