//! The matrix of the bounds that bound the kernel values themselves.

use robust_svm_core::features::Nystrom;
use robust_svm_core::penalty::PenaltyMatrix;

/// `A = Λ^{−1/2}`: `⟨ζ, φ(x)⟩ = ⟨Λ^{−1/2}ζ, Uᵀ k̂(x)⟩`.
pub(super) fn inverse_root(map: &Nystrom) -> PenaltyMatrix {
    PenaltyMatrix::Diagonal(map.eigenvalues().mapv(|λ| 1.0 / λ.sqrt()))
}
