//! The paper's bound for paired random Fourier features [Couellan & Jan, Prop. 4.1 at p̄ = 2]: each
//! frequency by itself, so about √n too large on n-dimensional data. Kept as the reference.

use ndarray::{Array1, ArrayView1};
use robust_svm_core::features::Rff;
use robust_svm_core::uncertainty::UncertaintySet;

/// `Γ_i = sqrt(4/D Σ_j α_ij)`, `α_ij = min(2, θ_ij²/2)`, `θ_ij = γ_i ‖Σ^{⊤/2} ω_j‖_q`, for every p; one
/// radius for each entry of `gamma`.
///
/// `α` bounds `1 − cos(ω_jᵀδ)`, and `‖φ(x+δ) − φ(x)‖² = 4/D Σ_j (1 − cos ω_jᵀδ)`. The sum stands inside
/// the root.
pub(crate) fn radii(rff: &Rff, set: &UncertaintySet, gamma: ArrayView1<'_, f64>) -> Array1<f64> {
    let supports = set.support(rff.frequencies());
    let pairs = supports.len() as f64;
    gamma.mapv(|gamma| {
        let sum: f64 = supports
            .iter()
            .map(|support| {
                let θ = gamma * support;
                (0.5 * θ * θ).min(2.0)
            })
            .sum();
        (2.0 / pairs * sum).sqrt()
    })
}
