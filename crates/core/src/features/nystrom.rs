//! Nyström features [Couellan & Jan §2]: with landmarks x̂_j, `K̂ = UΛUᵀ`, `φ(x) = P k̂(x)` with `P = Λ^{−1/2} Uᵀ`, the paper's, or with
//! `P = L^{−1}`, `K̂ = LLᵀ`, which is that turned by a rotation where neither cuts anything: the same inner products, so the same models where the
//! penalty is of ‖ζ‖, for half of the projection's multiplications, at many landmarks, and without eigenvectors.

use super::FeatureMap;
use super::sparse::RowProducts;
use crate::CoreError;
use crate::check::{check_finite, check_length};
use crate::kernel::{GaussianKernel, squared_norms};
use crate::linalg::{
    PivotedCholesky, into_standard_layout, matmul, matmul_lower_transposed_into, matmul_transposed,
    matmul_transposed_in_rows, matmul_transposed_into, symmetric_eigen,
};
use crate::model::expansion;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, s};
use sprs::CsMatView;
use std::ops::Range;

/// Eigenvalues, or pivots, below this share of the largest are cut: they carry rounding, not geometry.
const RELATIVE_CUT: f64 = 1e-12;

/// Rows whose kernel values are held at a time.
const BLOCK_ROWS: usize = 256;

/// A Nyström map of rank r ≤ m.
#[derive(Debug, Clone, PartialEq)]
pub struct Nystrom {
    kernel: GaussianKernel,
    landmarks: Array2<f64>,
    /// P, r × m.
    projection: Array2<f64>,
    /// Λ, in decreasing order, where P is `Λ^{−1/2} Uᵀ`; `None` where it is `L^{−1}`.
    eigenvalues: Option<Array1<f64>>,
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
            eigenvalues: Some(eigenvalues),
        })
    }

    /// The triangular map for `landmarks` (m × n) and `kernel`, `P = L^{−1}` of a Cholesky factor with pivots: those landmarks are kept, in the
    /// order of their pivots, whose squared distance in feature space from what the ones before span is above 1e−12.
    ///
    /// # Errors
    /// [`CoreError::NotFinite`] if the landmarks are not finite.
    pub fn triangular(kernel: GaussianKernel, landmarks: Array2<f64>) -> Result<Self, CoreError> {
        check_finite("landmarks", landmarks.view())?;
        let landmarks = into_standard_layout(landmarks);
        let gram = kernel.matrix(landmarks.view(), landmarks.view());
        let PivotedCholesky { pivots, inverse } = PivotedCholesky::new(gram, RELATIVE_CUT)?;
        Ok(Self {
            kernel,
            landmarks: landmarks.select(Axis(0), &pivots),
            projection: inverse,
            eigenvalues: None,
        })
    }

    /// The map with the parts of another: `projection` is P (r × m) of K̂ at the `landmarks` (m × n),
    /// `eigenvalues` are Λ (r), in decreasing order, or none of the triangular map. A decomposition made anew may differ in its last bits and,
    /// where eigenvalues are equal, by a rotation, to which weights found before do not belong.
    ///
    /// # Errors
    /// [`CoreError::Shape`] if the shapes disagree, [`CoreError::NotFinite`] if a number is not finite,
    /// [`CoreError::Parameter`] if the eigenvalues are not positive and in decreasing order, a P without any is not lower triangular, or the features are
    /// not those of these landmarks: `P K̂ Pᵀ` is further from I than rounding explains.
    pub fn from_parts(
        kernel: GaussianKernel,
        landmarks: Array2<f64>,
        projection: Array2<f64>,
        eigenvalues: Option<Array1<f64>>,
    ) -> Result<Self, CoreError> {
        let (rank, m) = projection.dim();
        check_length("landmarks of the projection", landmarks.nrows(), m)?;
        check_finite("landmarks", landmarks.view())?;
        check_finite("projection", projection.view())?;
        match &eigenvalues {
            Some(eigenvalues) => check_eigenvalues(eigenvalues, rank)?,
            None => check_triangle(projection.view())?,
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

    /// That the rows of `U = Λ^{1/2} P` are orthonormal, where there is Λ, and that `(P K̂ Pᵀ)_kl = δ_kl` within what the rounding of K̂ comes to between
    /// the rows k and l of P: of its values, `1e−14 (1 + max_j ‖x̂_j‖²/σ²)` each, and of its decomposition, of the order of `m ε λ_1`. Of a triangular map,
    /// whose rows are not bounded by Λ, it is `4 ε (1 + max_j ‖x̂_j‖²/σ²)` for each of m, and never above ½: rows may be nearly as long as the cut
    /// lets them, and no longer.
    fn check_projection(&self) -> Result<(), CoreError> {
        let refuse = |error: f64, k: usize| {
            let expected = "that of the landmarks' kernel matrix";
            let found = format!("an error of {error:.1e} in feature {}", k + 1);
            Err(CoreError::parameter("projection", expected, found))
        };
        let overlaps = matmul_transposed(self.projection.view(), self.projection.view());
        if let Some(eigenvalues) = &self.eigenvalues {
            for ((k, l), overlap) in overlaps.indexed_iter() {
                let identity = if k == l { 1.0 } else { 0.0 };
                let scale = (eigenvalues[k] * eigenvalues[l]).sqrt();
                let error = (overlap * scale - identity).abs();
                if error.is_nan() || error > 1e-9 {
                    return refuse(error, k);
                }
            }
        }
        let landmarks = self.landmarks.view();
        let gram = self.kernel.matrix(landmarks, landmarks);
        let half = matmul(self.projection.view(), gram.view());
        let products = matmul_transposed(half.view(), self.projection.view());
        let rows = landmarks.outer_iter();
        let longest = rows.fold(0.0_f64, |longest, z| longest.max(z.dot(&z)));
        let scale = 1.0 + longest / (self.kernel.sigma() * self.kernel.sigma());
        let m = landmarks.nrows() as f64;
        let (rounding, most) = match &self.eigenvalues {
            Some(eigenvalues) => {
                let largest = eigenvalues.first().copied().unwrap_or(0.0);
                (
                    m * (1e-14 * scale + 1e2 * f64::EPSILON * largest),
                    f64::INFINITY,
                )
            }
            None => (m * 4.0 * f64::EPSILON * scale, 0.5),
        };
        let norms = overlaps.diag().mapv(f64::sqrt);
        for ((k, l), product) in products.indexed_iter() {
            let identity = if k == l { 1.0 } else { 0.0 };
            let error = (product - identity).abs();
            if error.is_nan() || error > (1e-9 + rounding * norms[k] * norms[l]).min(most) {
                return refuse(error, k);
            }
        }
        Ok(())
    }

    /// The kernel.
    pub fn kernel(&self) -> GaussianKernel {
        self.kernel
    }

    /// The landmarks x̂_j as rows (m × n); of a triangular map those that are kept.
    pub fn landmarks(&self) -> ArrayView2<'_, f64> {
        self.landmarks.view()
    }

    /// The eigenvalues of K̂ that are kept, Λ (r), in decreasing order; `None` of a triangular map.
    pub fn eigenvalues(&self) -> Option<ArrayView1<'_, f64>> {
        self.eigenvalues.as_ref().map(Array1::view)
    }

    /// P (r × m), which takes the kernel's values at the landmarks to features: `Λ^{−1/2} Uᵀ`, or `L^{−1}` of a triangular map.
    pub fn projection(&self) -> ArrayView2<'_, f64> {
        self.projection.view()
    }

    /// Features a block of rows at a time: `write` puts the kernel's values at the landmarks, of the rows it is given, into rows
    /// of m, and they are projected while they are in the cache.
    fn project(
        &self,
        mut out: ArrayViewMut2<'_, f64>,
        mut write: impl FnMut(Range<usize>, &mut [f64]),
    ) {
        let (rows, m) = (out.nrows(), self.landmarks.nrows());
        assert_eq!(out.ncols(), self.dim(), "one row of features a point");
        let mut kernel = Array2::zeros((rows.min(2 * BLOCK_ROWS - 1), m));
        let mut first = 0;
        while first < rows {
            // Few rows at the end are no block of their own: products of few rows differ in their last bits.
            let last = first + 2 * BLOCK_ROWS > rows;
            let end = if last { rows } else { first + BLOCK_ROWS };
            let mut kernel = kernel.slice_mut(s![..end - first, ..]);
            let values = kernel.as_slice_mut().expect("rows in one piece");
            write(first..end, values);
            let features = out.slice_mut(s![first..end, ..]);
            match self.eigenvalues {
                Some(_) => {
                    matmul_transposed_into(kernel.view(), self.projection.view(), features);
                }
                None => {
                    matmul_lower_transposed_into(kernel.view(), self.projection.view(), features);
                }
            }
            first = end;
        }
    }

    /// `‖P‖₂ = λ_min^{−1/2}`, and of a triangular map `‖P‖_F`, which is no less: how much of an error of the kernel's values features show at most.
    pub fn projection_norm(&self) -> f64 {
        match &self.eigenvalues {
            Some(eigenvalues) => eigenvalues.last().map_or(0.0, |λ| 1.0 / λ.sqrt()),
            None => self.projection.iter().map(|p| p * p).sum::<f64>().sqrt(),
        }
    }

    /// The coefficients c (m) with `⟨ζ, φ(x)⟩ = Σ_j c_j k(x, x̂_j)`: `c = Pᵀ ζ`.
    pub fn landmark_coefficients(&self, zeta: ArrayView1<'_, f64>) -> Array1<f64> {
        self.projection.t().dot(&zeta)
    }
}

/// That there are `rank` eigenvalues, and that they are those of a map.
fn check_eigenvalues(eigenvalues: &Array1<f64>, rank: usize) -> Result<(), CoreError> {
    check_length("eigenvalues", rank, eigenvalues.len())?;
    check_finite("eigenvalues", eigenvalues.view().insert_axis(Axis(0)))?;
    let falling = eigenvalues.windows(2).into_iter().all(|w| w[0] >= w[1]);
    let least = eigenvalues.first().map_or(0.0, |λ| 0.5 * RELATIVE_CUT * λ);
    if !falling || eigenvalues.iter().any(|λ| *λ <= least) {
        let expected = "positive, in decreasing order, none below 1e−12 of the largest";
        return Err(CoreError::parameter("eigenvalues", expected, eigenvalues));
    }
    Ok(())
}

/// That a projection is that of a triangular map.
fn check_triangle(projection: ArrayView2<'_, f64>) -> Result<(), CoreError> {
    check_length(
        "features of the projection",
        projection.ncols(),
        projection.nrows(),
    )?;
    let above = projection
        .indexed_iter()
        .find(|((i, j), v)| j > i && **v != 0.0);
    if let Some(((i, j), _)) = above {
        let found = format!("an entry in row {}, column {}", i + 1, j + 1);
        return Err(CoreError::parameter(
            "projection",
            "lower triangular without eigenvalues",
            found,
        ));
    }
    // The pivots are above the cut of those of a kernel matrix, whose first is 1.
    let most = (2.0 / RELATIVE_CUT).sqrt();
    let is_pivot = |v: f64| v > 0.0 && v <= most;
    if let Some(inverse) = projection.diag().iter().find(|v| !is_pivot(**v)) {
        let expected = "positive on its diagonal without eigenvalues, and at most 1.4e6";
        return Err(CoreError::parameter("projection", expected, inverse));
    }
    Ok(())
}

impl FeatureMap for Nystrom {
    fn input_dim(&self) -> usize {
        self.landmarks.ncols()
    }

    fn dim(&self) -> usize {
        self.projection.nrows()
    }

    fn transform_into(&self, x: ArrayView2<'_, f64>, out: ArrayViewMut2<'_, f64>) {
        assert_eq!(x.dim(), (out.nrows(), self.input_dim()), "the map's inputs");
        let landmarks = self.landmarks.view();
        let z_norms = squared_norms(landmarks);
        self.project(out, |rows, kernel| {
            let x = x.slice(s![rows, ..]);
            matmul_transposed_in_rows(x, landmarks, kernel, z_norms.len());
            let x_norms = x.outer_iter().map(|row| row.dot(&row));
            self.kernel.of_products(kernel, x_norms, &z_norms);
        });
    }

    fn transform_sparse_into(&self, x: CsMatView<'_, f64>, out: ArrayViewMut2<'_, f64>) {
        assert_eq!(
            x.shape(),
            (out.nrows(), self.input_dim()),
            "the map's inputs"
        );
        let z_norms = squared_norms(self.landmarks.view());
        let products = RowProducts::new(x, self.landmarks.view());
        self.project(out, |rows, kernel| {
            products.write(rows.clone(), kernel, z_norms.len());
            let x_norms = rows.map(|row| products.squared_norm(row));
            self.kernel.of_products(kernel, x_norms, &z_norms);
        });
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
        // A row of v is a function of its own: Σ_j c_j k(·, x̂_j) with c = Pᵀ v.
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
    use ndarray::{Array1, Array2, array};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};

    /// On the landmarks themselves the Nyström kernel is the kernel.
    #[test]
    fn the_kernel_is_exact_on_the_landmarks() {
        let kernel = GaussianKernel::new(1.0).unwrap();
        let landmarks = array![[0.0, 0.0], [1.0, 0.5], [-0.5, 2.0], [0.3, -1.0]];
        let exact = kernel.matrix(landmarks.view(), landmarks.view());
        for new in [Nystrom::new, Nystrom::triangular] {
            let map = new(kernel, landmarks.clone()).unwrap();
            let phi = map.transform(landmarks.view());
            assert_relative_eq!(phi.dot(&phi.t()), exact, epsilon = 1e-10);
        }
    }

    #[test]
    fn repeated_landmarks_lower_the_rank_and_change_nothing_else() {
        let kernel = GaussianKernel::new(1.0).unwrap();
        let once = array![[0.0, 0.0], [1.0, 0.5]];
        let twice = array![[0.0, 0.0], [1.0, 0.5], [1.0, 0.5]];
        let x: Array2<f64> = array![[0.4, 0.1], [2.0, 0.0]];
        for new in [Nystrom::new, Nystrom::triangular] {
            let gram = |landmarks: &Array2<f64>| {
                let map = new(kernel, landmarks.clone()).unwrap();
                assert_eq!(map.dim(), 2);
                let phi = map.transform(x.view());
                phi.dot(&phi.t())
            };
            assert_relative_eq!(gram(&once), gram(&twice), epsilon = 1e-10);
        }
    }

    proptest! {
        /// Features of the triangular map are those of eigenvectors turned by a rotation: their inner products agree, of many rows and of few,
        /// as far as the rounding of values at nearly dependent landmarks lets them.
        #[test]
        fn the_triangular_map_is_the_other_one_turned(
            (m, rows, sigma) in (1..150_usize, 1..700_usize, 0.3..1.0_f64),
            seed in any::<u64>(),
        ) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let kernel = GaussianKernel::new(sigma).unwrap();
            let mut normal = |rows| Array2::from_shape_simple_fn((rows, 5), || StandardNormal.sample(&mut rng));
            let (landmarks, x) = (normal(m), normal(rows));
            let [eigen, triangular] = [Nystrom::new, Nystrom::triangular]
                .map(|new| new(kernel, landmarks.clone()).unwrap());
            prop_assert_eq!(triangular.dim(), m);
            prop_assert!(triangular.eigenvalues().is_none());
            let [expected, found] = [&eigen, &triangular].map(|map| {
                let phi = map.transform(x.view());
                phi.dot(&phi.t())
            });
            let least = eigen.eigenvalues().unwrap()[m - 1];
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert!((found - expected).abs() < 1e-12 * m as f64 / least, "{found} {expected}");
            }
            // The value is that of the features.
            let zeta = Array1::linspace(-1.0, 1.0, m);
            let values = triangular.value(x.view(), zeta.view());
            let of_features = triangular.transform(x.view()).dot(&zeta);
            for (value, of_features) in values.iter().zip(&of_features) {
                prop_assert!((value - of_features).abs() < 1e-12 * (m as f64 / least).sqrt() * m as f64);
            }
        }
    }

    /// Landmarks that are nearly dependent: fewer are kept, and they say the others.
    #[test]
    fn landmarks_that_others_span_are_left_out() {
        let kernel = GaussianKernel::new(8.0).unwrap();
        let landmarks =
            Array2::from_shape_fn((200, 2), |(i, k)| (0.37 * (i * (k + 1)) as f64).sin());
        let map = Nystrom::triangular(kernel, landmarks.clone()).unwrap();
        assert!(map.dim() < 60, "{}", map.dim());
        assert_eq!(map.dim(), map.landmarks().nrows());
        let phi = map.transform(landmarks.view());
        let exact = kernel.matrix(landmarks.view(), landmarks.view());
        assert_relative_eq!(phi.dot(&phi.t()), exact, epsilon = 1e-8);
        let parts = (map.landmarks().to_owned(), map.projection().to_owned());
        assert_eq!(
            Nystrom::from_parts(kernel, parts.0, parts.1, None).unwrap(),
            map
        );
        // A longer row would be as far from I as its own rounding, if that were taken of what is given.
        let last = map.dim() - 1;
        for factor in [0.1, 3.0, 10.0, 1e3, 1e9] {
            let mut projection = map.projection().to_owned();
            projection.row_mut(last).mapv_inplace(|p| factor * p);
            let landmarks = map.landmarks().to_owned();
            assert!(
                Nystrom::from_parts(kernel, landmarks, projection, None).is_err(),
                "{factor}"
            );
        }
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
            let values = || map.eigenvalues().map(|values| values.to_owned());
            let parts = |z: Array2<f64>, projection: Array2<f64>| {
                Nystrom::from_parts(kernel, z, projection, values())
            };
            let projection = || map.projection().to_owned();
            assert_eq!(parts(landmarks(m, shift), projection()).unwrap(), map);
            assert!(parts(landmarks(m + 1, shift), projection()).is_err());
            assert!(parts(landmarks(m, shift), 1.001 * projection()).is_err());
            // Eigenvalues so small that everything would be within their rounding.
            let small = values().map(|values| 1e-20 * values);
            let tenfold = 10.0 * projection();
            assert!(Nystrom::from_parts(kernel, landmarks(m, shift), tenfold, small).is_err());
            if m > 1 {
                let moved = 1.1 * landmarks(m, shift);
                assert!(parts(moved.clone(), projection()).is_err(), "{m} {sigma}");
                let map = Nystrom::triangular(kernel, landmarks(m, shift)).unwrap();
                let parts = |z: &Array2<f64>, projection: Array2<f64>| {
                    Nystrom::from_parts(kernel, z.clone(), projection, None)
                };
                let kept = map.landmarks().to_owned();
                assert_eq!(parts(&kept, map.projection().to_owned()).unwrap(), map);
                assert!(parts(&kept, 1.001 * &map.projection()).is_err());
                assert!(parts(&kept, -1.0 * &map.projection()).is_err());
                assert!(parts(&kept, map.projection().t().to_owned()).is_err());
                assert!(parts(&(1.1 * &kept), map.projection().to_owned()).is_err());
            }
        }
    }
}
