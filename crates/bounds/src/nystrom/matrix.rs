//! The matrix of the bounds that bound the kernel values themselves.

use robust_svm_core::features::Nystrom;
use robust_svm_core::penalty::PenaltyMatrix;

/// A with `‖Aζ‖ = ‖Pᵀζ‖`, as `⟨ζ, φ(x)⟩ = ⟨Pᵀζ, k̂(x)⟩`: `Λ^{−1/2}`, U having orthonormal columns, or `L^{−⊤}` of a triangular map.
pub(super) fn inverse_root(map: &Nystrom) -> PenaltyMatrix {
    match map.eigenvalues() {
        Some(eigenvalues) => PenaltyMatrix::Diagonal(eigenvalues.mapv(|λ| 1.0 / λ.sqrt())),
        None => PenaltyMatrix::Dense(map.projection().t().to_owned()),
    }
}
