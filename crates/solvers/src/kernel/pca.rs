//! Kernel principal components [Learning with kernels].
//!
//! With the centred kernel `K̃ = CKC`, `C = I − 11ᵀ/N`, and its eigenvectors α for the largest eigenvalues λ, normalised to
//! `λ‖α‖² = 1`, the directions `Σ_iα_i(φ(x_i) − φ̄)` have length 1, and the components of a point x are `Σ_iα_i k̃(x_i, x)` with
//! `k̃(x_i, x) = ⟨φ(x_i) − φ̄, φ(x) − φ̄⟩`.

use crate::SolverError;
use crate::problem::check_length;
use crate::top_eigen::largest;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use robust_svm_core::linalg::matmul;

/// Eigenvalues this small next to the largest are those of directions the kernel does not have.
const NOTHING: f64 = 1e-12;

/// The principal components of N points in a kernel's space.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelPca {
    alpha: Array2<f64>,
    eigenvalues: Array1<f64>,
    /// The mean of each column of K (N) and of all K.
    means: Array1<f64>,
    mean: f64,
}

impl KernelPca {
    /// The first `dims` components of points with the Gram matrix `gram` (N × N); fewer if the kernel has no more. Signs are
    /// such that the first of the largest entries of each α is positive.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for `dims` of 0, [`SolverError::Shape`] if `gram` is not square or has fewer than two
    /// rows, [`SolverError::NotFinite`], [`SolverError::Backend`] if all points are one.
    pub fn fit(gram: ArrayView2<'_, f64>, dims: usize) -> Result<Self, SolverError> {
        let embedding = crate::embedding::KernelEmbedding::fit(
            &crate::embedding::Graph::pca(gram.nrows())?,
            gram,
            dims,
            &crate::embedding::EmbeddingSettings::default(),
        )?;
        Ok(Self {
            alpha: embedding.coefficients().to_owned(),
            eigenvalues: embedding.ratios().clone(),
            means: gram.mean_axis(Axis(0)).expect("two rows or more"),
            mean: gram.mean().expect("two rows or more"),
        })
    }

    /// The components (M × d) of M points, `cross` (M × N) their kernel with the N points.
    ///
    /// # Errors
    /// [`SolverError::Shape`] unless `cross` has N columns.
    pub fn project(&self, cross: ArrayView2<'_, f64>) -> Result<Array2<f64>, SolverError> {
        check_length("kernel columns", self.means.len(), cross.ncols())?;
        let mut centred = &cross - &self.means;
        for (mut row, cross) in centred.outer_iter_mut().zip(cross.outer_iter()) {
            row += self.mean - cross.mean().expect("two columns or more");
        }
        Ok(matmul(centred.view(), self.alpha.view()))
    }

    /// The coefficients α in columns (N × d), `λ‖α‖² = 1`.
    pub fn alpha(&self) -> ArrayView2<'_, f64> {
        self.alpha.view()
    }

    /// The eigenvalues λ (d) of K̃, decreasing.
    pub fn eigenvalues(&self) -> &Array1<f64> {
        &self.eigenvalues
    }
}

/// `K̃ = CKC` of a symmetric K (N × N, N ≥ 1).
pub(super) fn centred(gram: ArrayView2<'_, f64>) -> Array2<f64> {
    let means = gram.mean_axis(Axis(0)).expect("a row or more");
    let mean = means.mean().expect("a row or more");
    &gram - &means - means.view().insert_axis(Axis(1)) + mean
}

/// The largest eigenvalues λ of K̃ (d) and their α in rows (d × N), d at most `count`.
pub(crate) fn principal_components(
    gram: ArrayView2<'_, f64>,
    count: usize,
) -> Result<(Array1<f64>, Array2<f64>), SolverError> {
    let centred = centred(gram);
    let (values, mut vectors) = largest(gram.nrows(), count, |rows| matmul(rows, centred.view()))?;
    let size = gram.diag().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let smallest = NOTHING * values[0].max(size);
    let kept: Vec<usize> = (0..values.len())
        .filter(|k| values[*k] > smallest)
        .collect();
    if kept.is_empty() {
        let text =
            "all inputs are one point in the kernel's space: there are no principal components";
        return Err(SolverError::Backend(text.into()));
    }
    vectors /= &values.mapv(|λ| λ.max(smallest).sqrt()).insert_axis(Axis(1));
    Ok((
        values.select(Axis(0), &kept),
        vectors.select(Axis(0), &kept),
    ))
}
