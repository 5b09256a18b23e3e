//! A feature map at two precisions.

use crate::SolverError;
use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use robust_svm_core::features::{FeatureMap, Features, FourierTransform};

/// A feature map whose features come in single precision, for the steps of the stochastic methods, and in double
/// precision, for certificates and the interior-point method.
#[derive(Debug, Clone)]
pub struct BlockFeatures {
    map: Features,
    single: Single,
}

/// What makes features in single precision.
#[derive(Debug, Clone)]
enum Single {
    /// The inputs are the features.
    Identity,
    /// Sines and cosines in single precision.
    Fourier(FourierTransform<f32>),
    /// Those in double precision, rounded.
    Rounded,
}

impl BlockFeatures {
    /// The features of `map`. Those of Nyström maps are rounded to single precision; random Fourier features are
    /// computed in it, to errors of `sqrt(2/D)` times the rounding of the frequencies and of the phases `ω_jᵀx`, and of two units in
    /// the last place of the sines.
    ///
    /// # Errors
    /// [`SolverError::NotFinite`] if a frequency is beyond the range of f32.
    pub fn new(map: Features) -> Result<Self, SolverError> {
        let single = match &map {
            Features::Identity(_) => Single::Identity,
            Features::Rff(rff) => Single::Fourier(rff.to_f32()?),
            Features::Nystrom(_) => Single::Rounded,
        };
        Ok(Self { map, single })
    }

    /// The map.
    pub fn map(&self) -> &Features {
        &self.map
    }

    /// n.
    pub fn input_dim(&self) -> usize {
        self.map.input_dim()
    }

    /// D.
    pub fn dim(&self) -> usize {
        self.map.dim()
    }

    /// Writes `φ(x_i)` for each row of `x` (p × n) into `out` (p × D).
    pub(super) fn single_into(&self, x: ArrayView2<'_, f32>, mut out: ArrayViewMut2<'_, f32>) {
        match &self.single {
            Single::Identity => out.assign(&x),
            Single::Fourier(fourier) => fourier.transform_into(x, out),
            Single::Rounded => {
                let mut features = Array2::zeros(out.raw_dim());
                self.map
                    .transform_into(x.mapv(f64::from).view(), features.view_mut());
                out.zip_mut_with(&features, |out, φ| *out = *φ as f32);
            }
        }
    }

    /// The same in double precision.
    pub(super) fn double_into(&self, x: ArrayView2<'_, f64>, out: ArrayViewMut2<'_, f64>) {
        self.map.transform_into(x, out);
    }
}

#[cfg(test)]
mod tests {
    use super::BlockFeatures;
    use ndarray::{Array2, s};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;
    use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff};
    use robust_svm_core::kernel::GaussianKernel;
    use std::sync::Arc;

    #[test]
    fn both_precisions_are_those_of_the_map() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let x = Array2::from_shape_simple_fn((70, 3), || rng.gen_range(-2.0_f32..2.0));
        let wide = x.mapv(f64::from);
        let kernel = GaussianKernel::new(1.0).unwrap();
        let landmarks = wide.slice(s![..5, ..]).to_owned();
        for map in [
            Features::Identity(Identity::new(3)),
            Features::Rff(Arc::new(Rff::draw(kernel, 3, 12, &mut rng).unwrap())),
            Features::Rff(Arc::new(Rff::draw_phased(kernel, 3, 7, &mut rng).unwrap())),
            Features::Nystrom(Arc::new(Nystrom::new(kernel, landmarks).unwrap())),
        ] {
            let expected = map.transform(wide.view());
            let features = BlockFeatures::new(map).unwrap();
            let mut single = Array2::from_elem((70, features.dim()), f32::NAN);
            features.single_into(x.view(), single.view_mut());
            let mut double = Array2::from_elem((70, features.dim()), f64::NAN);
            features.double_into(wide.view(), double.view_mut());
            assert_eq!(double, expected);
            for (single, φ) in single.iter().zip(&expected) {
                assert!((f64::from(*single) - φ).abs() < 4e-6, "{single} {φ}");
            }
        }
    }
}
