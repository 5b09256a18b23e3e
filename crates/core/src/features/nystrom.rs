//! Nyström features [Couellan & Jan §2]: with landmarks x̂_j, `K̂ = UΛUᵀ`, `φ(x) = Λ^{−1/2} Uᵀ k̂(x)`.

use super::FeatureMap;
use crate::CoreError;
use crate::check::{check_finite, check_length};
use crate::kernel::GaussianKernel;
use crate::linalg::{
    into_standard_layout, matmul, matmul_transposed, matmul_transposed_into, symmetric_eigen,
};
use crate::model::expansion;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis};

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
        // The last bits of sums depend on how memory is laid out, which is no part of the map.
        let landmarks = into_standard_layout(landmarks);
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
            projection: into_standard_layout(projection),
            eigenvalues,
        })
    }

    /// The map with the parts of another: `projection` is `Λ^{−1/2} Uᵀ` (r × m) of K̂ at the `landmarks` (m × n),
    /// `eigenvalues` are Λ (r), in decreasing order. A decomposition made anew may differ in its last bits and,
    /// where eigenvalues are equal, by a rotation, to which weights found before do not belong.
    ///
    /// # Errors
    /// [`CoreError::Shape`] if the shapes disagree, [`CoreError::NotFinite`] if a number is not finite,
    /// [`CoreError::Parameter`] if the eigenvalues are not positive and in decreasing order or the features are
    /// not those of these landmarks: `P K̂ Pᵀ` is further from I than rounding explains.
    pub fn from_parts(
        kernel: GaussianKernel,
        landmarks: Array2<f64>,
        projection: Array2<f64>,
        eigenvalues: Array1<f64>,
    ) -> Result<Self, CoreError> {
        let (rank, m) = projection.dim();
        check_length("landmarks of the projection", landmarks.nrows(), m)?;
        check_length("eigenvalues", rank, eigenvalues.len())?;
        check_finite("landmarks", landmarks.view())?;
        check_finite("projection", projection.view())?;
        check_finite("eigenvalues", eigenvalues.view().insert_axis(Axis(0)))?;
        let falling = eigenvalues.windows(2).into_iter().all(|w| w[0] >= w[1]);
        let least = eigenvalues.first().map_or(0.0, |λ| 0.5 * RELATIVE_CUT * λ);
        if !falling || eigenvalues.iter().any(|λ| *λ <= least) {
            let expected = "positive, in decreasing order, none below 1e−12 of the largest";
            return Err(CoreError::parameter("eigenvalues", expected, eigenvalues));
        }
        let map = Self {
            kernel,
            landmarks: into_standard_layout(landmarks),
            projection: into_standard_layout(projection),
            eigenvalues,
        };
        map.check_projection()?;
        Ok(map)
    }

    /// That the rows of `U = Λ^{1/2} P` are orthonormal, and that `(P K̂ Pᵀ)_kl = δ_kl` within the rounding of K̂ over `sqrt(λ_k λ_l)`: of its values,
    /// `1e−14 (1 + max_j ‖x̂_j‖²/σ²)` each, and of its decomposition, of the order of `m ε λ_1`.
    fn check_projection(&self) -> Result<(), CoreError> {
        let refuse = |error: f64, k: usize| {
            let expected = "that of the landmarks' kernel matrix";
            let found = format!("an error of {error:.1e} in feature {}", k + 1);
            Err(CoreError::parameter("projection", expected, found))
        };
        let overlaps = matmul_transposed(self.projection.view(), self.projection.view());
        for ((k, l), overlap) in overlaps.indexed_iter() {
            let identity = if k == l { 1.0 } else { 0.0 };
            let scale = (self.eigenvalues[k] * self.eigenvalues[l]).sqrt();
            let error = (overlap * scale - identity).abs();
            if error.is_nan() || error > 1e-9 {
                return refuse(error, k);
            }
        }
        let landmarks = self.landmarks.view();
        let gram = self.kernel.matrix(landmarks, landmarks);
        let half = matmul(self.projection.view(), gram.view());
        let products = matmul_transposed(half.view(), self.projection.view());
        let largest = self.eigenvalues.first().copied().unwrap_or(0.0);
        let rows = landmarks.outer_iter();
        let longest = rows.fold(0.0_f64, |longest, z| longest.max(z.dot(&z)));
        let of_values = 1e-14 * (1.0 + longest / (self.kernel.sigma() * self.kernel.sigma()));
        let rounding = landmarks.nrows() as f64 * (of_values + 1e2 * f64::EPSILON * largest);
        for ((k, l), product) in products.indexed_iter() {
            let identity = if k == l { 1.0 } else { 0.0 };
            let scale = (self.eigenvalues[k] * self.eigenvalues[l]).sqrt();
            let error = (product - identity).abs();
            if error.is_nan() || error > 1e-9 + rounding / scale {
                return refuse(error, k);
            }
        }
        Ok(())
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

    fn transform_into(&self, x: ArrayView2<'_, f64>, out: ArrayViewMut2<'_, f64>) {
        let k = self.kernel.matrix(x, self.landmarks.view());
        matmul_transposed_into(k.view(), self.projection.view(), out);
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

    /// The parts of a map make the same map, also of landmarks that are nearly dependent, and those of another
    /// are refused.
    #[test]
    fn parts_make_the_map_they_come_from_and_no_other() {
        let landmarks = |m: usize, shift: f64| {
            Array2::from_shape_fn((m, 3), |(i, k)| {
                shift + 2.0 * ((i * 3 + k + 1) as f64 * 2.0_f64.sqrt()).fract()
            })
        };
        for (m, sigma, shift) in [
            (5, 1.0, 0.0),
            (60, 1.5, -1.0),
            (80, 6.0, 30.0),
            (1, 1.0, 0.0),
        ] {
            let kernel = GaussianKernel::new(sigma).unwrap();
            let map = Nystrom::new(kernel, landmarks(m, shift)).unwrap();
            let parts = |z: Array2<f64>, projection: Array2<f64>| {
                Nystrom::from_parts(kernel, z, projection, map.eigenvalues().to_owned())
            };
            let projection = || map.projection().to_owned();
            assert_eq!(parts(landmarks(m, shift), projection()).unwrap(), map);
            assert!(parts(landmarks(m + 1, shift), projection()).is_err());
            assert!(parts(landmarks(m, shift), 1.001 * projection()).is_err());
            // Eigenvalues so small that everything would be within their rounding.
            let (small, tenfold) = (map.eigenvalues().mapv(|λ| 1e-20 * λ), 10.0 * projection());
            assert!(Nystrom::from_parts(kernel, landmarks(m, shift), tenfold, small).is_err());
            if m > 1 {
                let moved = 1.1 * landmarks(m, shift);
                assert!(parts(moved, projection()).is_err(), "{m} {sigma}");
            }
        }
    }
}
