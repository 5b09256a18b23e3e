//! Nyström features [Couellan & Jan §2]: with landmarks x̂_j, `K̂ = UΛUᵀ`, `φ(x) = Λ^{−1/2} Uᵀ k̂(x)`.

use super::FeatureMap;
use crate::CoreError;
use crate::kernel::GaussianKernel;
use crate::linalg::{matmul, matmul_transposed, symmetric_eigen};
use crate::model::expansion;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// Eigenvalues below this share of the largest are cut: they carry rounding, not geometry.
const RELATIVE_CUT: f64 = 1e-12;

/// A Nyström map of rank r ≤ m.
#[derive(Debug, Clone, PartialEq)]
pub struct Nystrom {
    kernel: GaussianKernel,
    landmarks: Array2<f64>,
    /// `Λ^{−1/2} Uᵀ`, r × m, largest eigenvalue first.
    projection: Array2<f64>,
    /// Λ, in decreasing order.
    eigenvalues: Array1<f64>,
}

impl Nystrom {
    /// The map for `landmarks` (m × n) and `kernel`; eigenvalues of K̂ below 1e−12 of the largest are
    /// cut.
    ///
    /// # Errors
    /// [`CoreError::Numerical`] if the landmarks are not finite.
    pub fn new(kernel: GaussianKernel, landmarks: Array2<f64>) -> Result<Self, CoreError> {
        let gram = kernel.matrix(landmarks.view(), landmarks.view());
        let (values, vectors) = symmetric_eigen(gram.view())?;
        let largest = values.last().copied().unwrap_or(0.0);
        let kept: Vec<usize> = (0..values.len())
            .rev()
            .filter(|&k| values[k] > RELATIVE_CUT * largest)
            .collect();
        let eigenvalues = values.select(Axis(0), &kept);
        let mut projection = vectors.select(Axis(1), &kept).reversed_axes();
        for (mut row, λ) in projection.axis_iter_mut(Axis(0)).zip(&eigenvalues) {
            row /= λ.sqrt();
        }
        Ok(Self {
            kernel,
            landmarks,
            projection: projection.as_standard_layout().into_owned(),
            eigenvalues,
        })
    }

    /// The kernel.
    pub fn kernel(&self) -> GaussianKernel {
        self.kernel
    }

    /// The landmarks x̂_j as rows (m × n).
    pub fn landmarks(&self) -> ArrayView2<'_, f64> {
        self.landmarks.view()
    }

    /// The eigenvalues of K̂ that are kept, Λ (r), in decreasing order.
    pub fn eigenvalues(&self) -> ArrayView1<'_, f64> {
        self.eigenvalues.view()
    }

    /// `Λ^{−1/2} Uᵀ` (r × m), which takes the kernel's values at the landmarks to features.
    pub fn projection(&self) -> ArrayView2<'_, f64> {
        self.projection.view()
    }

    /// The coefficients c (m) with `⟨ζ, φ(x)⟩ = Σ_j c_j k(x, x̂_j)`: `c = U Λ^{−1/2} ζ`.
    pub fn landmark_coefficients(&self, zeta: ArrayView1<'_, f64>) -> Array1<f64> {
        self.projection.t().dot(&zeta)
    }
}

impl FeatureMap for Nystrom {
    fn input_dim(&self) -> usize {
        self.landmarks.ncols()
    }

    fn dim(&self) -> usize {
        self.eigenvalues.len()
    }

    fn transform(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        let k = self.kernel.matrix(x, self.landmarks.view());
        matmul_transposed(k.view(), self.projection.view())
    }

    fn value(&self, x: ArrayView2<'_, f64>, zeta: ArrayView1<'_, f64>) -> Array1<f64> {
        let coefficients = self.landmark_coefficients(zeta);
        expansion::value(self.kernel, self.landmarks.view(), coefficients.view(), x)
    }

    fn value_and_gradient(
        &self,
        x: ArrayView2<'_, f64>,
        zeta: ArrayView1<'_, f64>,
    ) -> (Array1<f64>, Array2<f64>) {
        let coefficients = self.landmark_coefficients(zeta);
        expansion::value_and_gradient(self.kernel, self.landmarks.view(), coefficients.view(), x)
    }

    fn pull_back(&self, x: ArrayView2<'_, f64>, v: ArrayView2<'_, f64>) -> Array2<f64> {
        assert_eq!((x.nrows(), self.dim()), v.dim(), "one row of v a point");
        // A row of v is a function of its own: Σ_j c_j k(·, x̂_j) with c = U Λ^{−1/2} v.
        let coefficients = matmul(v, self.projection.view());
        expansion::gradients(self.kernel, self.landmarks.view(), coefficients, x)
    }

    fn push_forward(&self, x: ArrayView2<'_, f64>, u: ArrayView2<'_, f64>) -> Array2<f64> {
        let derivatives =
            expansion::directional_derivatives(self.kernel, self.landmarks.view(), x, u);
        matmul_transposed(derivatives.view(), self.projection.view())
    }
}

#[cfg(test)]
mod tests {
    use super::{FeatureMap, GaussianKernel, Nystrom};
    use approx::assert_relative_eq;
    use ndarray::{Array2, array};

    /// On the landmarks themselves the Nyström kernel is the kernel.
    #[test]
    fn the_kernel_is_exact_on_the_landmarks() {
        let kernel = GaussianKernel::new(1.0).unwrap();
        let landmarks = array![[0.0, 0.0], [1.0, 0.5], [-0.5, 2.0], [0.3, -1.0]];
        let map = Nystrom::new(kernel, landmarks.clone()).unwrap();
        let phi = map.transform(landmarks.view());
        let exact = kernel.matrix(landmarks.view(), landmarks.view());
        assert_relative_eq!(phi.dot(&phi.t()), exact, epsilon = 1e-10);
    }

    #[test]
    fn repeated_landmarks_lower_the_rank_and_change_nothing_else() {
        let kernel = GaussianKernel::new(1.0).unwrap();
        let once = array![[0.0, 0.0], [1.0, 0.5]];
        let twice = array![[0.0, 0.0], [1.0, 0.5], [1.0, 0.5]];
        let x: Array2<f64> = array![[0.4, 0.1], [2.0, 0.0]];
        let gram = |landmarks: Array2<f64>| {
            let map = Nystrom::new(kernel, landmarks).unwrap();
            assert_eq!(map.dim(), 2);
            let phi = map.transform(x.view());
            phi.dot(&phi.t())
        };
        assert_relative_eq!(gram(once), gram(twice), epsilon = 1e-10);
    }
}
