//! Kernels of distributions: inner products of mean embeddings.

use super::{GaussianInputs, gaussian_kernel, quadratic};
use crate::CoreError;
use crate::check::check_length;
use crate::kernel::GaussianKernel;
use crate::linalg::matmul_transposed;
use ndarray::{Array2, ArrayView2};

/// A kernel k of points, and by `⟨μ_P, μ_Q⟩ = E k(X, Z)`, X ~ P and Z ~ Q independent, of distributions: the inner
/// product of their mean embeddings `μ_P = E k(X, ·)` [Muandet et al., NIPS 2012, Table 1; Laakom et al.].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum InputKernel {
    /// `k(x, z) = ⟨x, z⟩`.
    Linear,
    /// The Gaussian kernel.
    Gaussian(GaussianKernel),
    /// `k(x, z) = (⟨x, z⟩ + 1)²`.
    Quadratic,
}

impl InputKernel {
    /// `E k(X_i, Z_j)` for the inputs `a` (p) and `b` (q), all independent: p × q.
    ///
    /// - linear: `m_iᵀm_j`;
    /// - quadratic: `(m_iᵀm_j + 1)² + tr Σ_iΣ_j + m_iᵀΣ_jm_i + m_jᵀΣ_im_j`;
    /// - Gaussian: `|I + (Σ_i+Σ_j)/σ²|^{−1/2} exp(−½ (m_i−m_j)ᵀ(σ²I+Σ_i+Σ_j)^{−1}(m_i−m_j))`.
    ///
    /// # Errors
    /// [`CoreError::Shape`] if the inputs are not in the same space, [`CoreError::Numerical`] if a full Σ has so negative an
    /// eigenvalue that `σ²I+Σ_i+Σ_j` is not positive definite.
    pub fn matrix(&self, a: &GaussianInputs, b: &GaussianInputs) -> Result<Array2<f64>, CoreError> {
        check_length("width of the inputs", a.means().ncols(), b.means().ncols())?;
        match self {
            Self::Linear => Ok(matmul_transposed(a.means(), b.means())),
            Self::Quadratic => Ok(quadratic::matrix(a, b)),
            Self::Gaussian(kernel) => gaussian_kernel::matrix(*kernel, a, b),
        }
    }

    /// The training matrix (L × L) of the inputs `a`: symmetric, and positive semi-definite.
    ///
    /// Its entries off the diagonal are those of [`InputKernel::matrix`]. On the diagonal:
    ///
    /// - Gaussian and quadratic: `‖μ_i‖² = E k(X, X′)`, X′ an independent copy of X, which is the same closed form at
    ///   j = i [Muandet et al., Table 1]. It is the matrix of inner products of the μ_i, so `βᵀKβ = ‖Σβ_jμ_j‖²`; with
    ///   `E k(X, X) = ‖μ_i‖² + E‖k(X, ·) − μ_i‖²` (1 for the Gaussian kernel) in its place this would not hold.
    /// - linear: `m_iᵀm_i + tr Σ_i = E⟨X, X⟩`, with that total variance, as Muandet et al. and Laakom et al. print it
    ///   (δ_ij tr Σ_i). In a support vector machine (derived) it gives each input a feature of its own, `sqrt(tr Σ_i)`, that no
    ///   other input has: at
    ///   the price of `λ/2` times its squared weight an input meets its margin by itself, the cheaper the more uncertain it is. At
    ///   points it has no effect.
    ///
    /// # Errors
    /// As [`InputKernel::matrix`].
    pub fn gram(&self, a: &GaussianInputs) -> Result<Array2<f64>, CoreError> {
        let mut gram = match self {
            Self::Gaussian(kernel) => gaussian_kernel::upper_triangle(*kernel, a)?,
            Self::Linear | Self::Quadratic => self.matrix(a, a)?,
        };
        for i in 0..gram.nrows() {
            for j in 0..i {
                gram[(i, j)] = gram[(j, i)];
            }
        }
        if *self == Self::Linear {
            let mut diagonal = gram.diag_mut();
            diagonal += &a.traces();
        }
        Ok(gram)
    }

    /// `k(x_i, z_j)` for the points in the rows of `x` (p × n) and `z` (q × n), p × q.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn at_points(&self, x: ArrayView2<'_, f64>, z: ArrayView2<'_, f64>) -> Array2<f64> {
        match self {
            Self::Linear => matmul_transposed(x, z),
            Self::Quadratic => matmul_transposed(x, z).mapv(|product| (product + 1.0).powi(2)),
            Self::Gaussian(kernel) => kernel.matrix(x, z),
        }
    }
}
