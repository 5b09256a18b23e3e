//! Random Fourier features in the paired form [Sutherland & Schneider 2015; Couellan & Jan §2]:
//! `ω_j ~ N(0, I/σ²)`, `φ(x) = sqrt(2/D) [cos ω_jᵀx, sin ω_jᵀx]_j`, j = 1..D/2, so `‖φ(x)‖ = 1`.

use super::FeatureMap;
use super::orthogonal::orthogonal_frequencies;
use crate::CoreError;
use crate::kernel::GaussianKernel;
use crate::linalg::{matmul, matmul_transposed};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

/// A paired random Fourier feature map. Features come in the order cos ω₁ᵀx, sin ω₁ᵀx, cos ω₂ᵀx, ….
#[derive(Debug, Clone, PartialEq)]
pub struct Rff {
    frequencies: Array2<f64>,
}

impl Rff {
    /// Draws the frequencies for `dim` = D features of `R^n` approximating `kernel`. The draws scale
    /// with 1/σ: streams equal at the start give the same directions at every bandwidth.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if `dim` is odd or 0: features come in pairs.
    pub fn draw(
        kernel: GaussianKernel,
        n: usize,
        dim: usize,
        rng: &mut impl Rng,
    ) -> Result<Self, CoreError> {
        check_dim(dim)?;
        let frequencies = Array2::from_shape_simple_fn((dim / 2, n), || {
            let z: f64 = StandardNormal.sample(rng);
            z / kernel.sigma()
        });
        Ok(Self { frequencies })
    }

    /// As [`Rff::draw`], with frequencies that are orthogonal in blocks of n: orthogonal random features
    /// [Yu et al., NeurIPS 2016, §3]. Each ω_j is distributed as before, so the kernel is estimated without
    /// bias; together they cover the directions more evenly, which lowers the estimate's variance at
    /// distances of the order of σ and below, and the largest eigenvalue of `WᵀW`.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if `dim` is odd or 0, or `n` is 0.
    pub fn draw_orthogonal(
        kernel: GaussianKernel,
        n: usize,
        dim: usize,
        rng: &mut impl Rng,
    ) -> Result<Self, CoreError> {
        check_dim(dim)?;
        if n == 0 {
            return Err(CoreError::parameter("inputs", "at least one column", n));
        }
        let frequencies = orthogonal_frequencies(dim / 2, n, rng) / kernel.sigma();
        Ok(Self { frequencies })
    }

    /// W, with the frequencies ω_j as rows (D/2 × n).
    pub fn frequencies(&self) -> ArrayView2<'_, f64> {
        self.frequencies.view()
    }

    /// `sqrt(2/D)`, the amplitude of each feature.
    pub fn amplitude(&self) -> f64 {
        (2.0 / self.dim() as f64).sqrt()
    }
}

/// That D is a number of pairs.
fn check_dim(dim: usize) -> Result<(), CoreError> {
    if dim == 0 || !dim.is_multiple_of(2) {
        return Err(CoreError::parameter("dim", "even and at least 2", dim));
    }
    Ok(())
}

impl FeatureMap for Rff {
    fn input_dim(&self) -> usize {
        self.frequencies.ncols()
    }

    fn dim(&self) -> usize {
        2 * self.frequencies.nrows()
    }

    fn transform(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        let phases = matmul_transposed(x, self.frequencies.view());
        let amplitude = self.amplitude();
        let mut features = Array2::zeros((x.nrows(), self.dim()));
        for (mut row, angles) in features.axis_iter_mut(Axis(0)).zip(phases.outer_iter()) {
            for (mut pair, angle) in row.exact_chunks_mut(2).into_iter().zip(angles) {
                let (sin, cos) = angle.sin_cos();
                pair[0] = amplitude * cos;
                pair[1] = amplitude * sin;
            }
        }
        features
    }

    fn value_and_gradient(
        &self,
        x: ArrayView2<'_, f64>,
        zeta: ArrayView1<'_, f64>,
    ) -> (Array1<f64>, Array2<f64>) {
        // d/dθ (a cos θ + b sin θ) = b cos θ − a sin θ, then the chain rule through θ_j = ω_jᵀx.
        let amplitude = self.amplitude();
        let mut slopes = matmul_transposed(x, self.frequencies.view());
        let mut values = Array1::zeros(x.nrows());
        for (value, mut row) in values.iter_mut().zip(slopes.axis_iter_mut(Axis(0))) {
            let mut sum = 0.0;
            for (slope, pair) in row.iter_mut().zip(zeta.exact_chunks(2)) {
                let (sin, cos) = slope.sin_cos();
                sum += pair[0] * cos + pair[1] * sin;
                *slope = amplitude * (pair[1] * cos - pair[0] * sin);
            }
            *value = amplitude * sum;
        }
        (values, matmul(slopes.view(), self.frequencies.view()))
    }
}

#[cfg(test)]
mod tests {
    use super::{FeatureMap, GaussianKernel, Rff};
    use approx::assert_relative_eq;
    use ndarray::array;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    #[test]
    fn inner_products_estimate_the_kernel_without_bias() {
        // Mean over independent maps: E⟨φ(x), φ(z)⟩ = k(x, z), to five standard errors.
        let kernel = GaussianKernel::new(1.3).unwrap();
        let x = array![[0.2, -0.4, 1.0], [1.1, 0.3, 0.4]];
        let exact = kernel.matrix(x.view(), x.view())[(0, 1)];
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let draws: Vec<f64> = (0..400)
            .map(|_| {
                let phi = Rff::draw(kernel, 3, 64, &mut rng)
                    .unwrap()
                    .transform(x.view());
                phi.row(0).dot(&phi.row(1))
            })
            .collect();
        let count = draws.len() as f64;
        let mean = draws.iter().sum::<f64>() / count;
        let variance = draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (count - 1.0);
        assert!((mean - exact).abs() < 5.0 * (variance / count).sqrt());
        assert!(
            variance.sqrt() < 0.2,
            "the map must be close for a single draw too"
        );
    }

    #[test]
    fn features_have_unit_norm() {
        let kernel = GaussianKernel::new(0.7).unwrap();
        let map = Rff::draw(kernel, 2, 10, &mut ChaCha20Rng::seed_from_u64(2)).unwrap();
        let phi = map.transform(array![[0.3, 5.0], [-2.0, 0.1]].view());
        for row in phi.outer_iter() {
            assert_relative_eq!(row.dot(&row), 1.0, epsilon = 1e-14);
        }
    }

    #[test]
    fn an_odd_dimension_is_refused() {
        let kernel = GaussianKernel::new(1.0).unwrap();
        assert!(Rff::draw(kernel, 2, 7, &mut ChaCha20Rng::seed_from_u64(3)).is_err());
    }
}
