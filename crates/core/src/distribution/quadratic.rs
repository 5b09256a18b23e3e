//! The kernel (⟨x, z⟩ + 1)² of normally distributed inputs.

use super::GaussianInputs;
use super::forms::{quadratic_forms, traces_of_products};
use crate::linalg::matmul_transposed;
use ndarray::Array2;

/// `(m_iᵀm_j + 1)² + tr Σ_iΣ_j + m_iᵀΣ_jm_i + m_jᵀΣ_im_j` [Muandet et al., NIPS 2012, Table 1], p × q.
///
/// *Proof.* `E⟨X, Z⟩² = tr E[XXᵀ] E[ZZᵀ] = tr (Σ_i + m_im_iᵀ)(Σ_j + m_jm_jᵀ)` for independent X and Z: only the first two
/// moments enter, so it holds for every distribution that has these. ∎
pub(super) fn matrix(a: &GaussianInputs, b: &GaussianInputs) -> Array2<f64> {
    let mut values = matmul_transposed(a.means(), b.means());
    values.mapv_inplace(|product| (product + 1.0).powi(2));
    values += &traces_of_products(a, b);
    values += &quadratic_forms(a, b.means());
    values += &quadratic_forms(b, a.means()).t();
    values
}
