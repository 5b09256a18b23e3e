//! The second-order certificate: the worst case of the model linearised at the point, plus half of the
//! largest second derivative that the set can meet, `B = γ ‖Σ^{⊤/2} ∇f(x)‖_q + ½ γ² C` with
//! `C ≥ |d²/ds² f(x + sδ)|` at every x and for every δ of the set of size 1.

use ndarray::{ArrayView1, Axis};
use robust_svm_core::CoreError;
use robust_svm_core::features::Rff;
use robust_svm_core::uncertainty::{UncertaintySet, operator_norm};

use super::expansion::Expansion;

/// `C` of `⟨ζ, φ(·)⟩` for random Fourier features, `‖diag(a)^{1/2} WΣ^{1/2}‖²_{p→2}`: f is a sum of waves
/// `a_j cos(ω_jᵀx − s_j)`, each with the second derivative `a_j (ω_jᵀδ)²` at most. At p = 2 this is `λ_max(H)`, `H = Σ_j a_j ω̃_jω̃_jᵀ`,
/// `ω̃ = Σ^{⊤/2}ω`; at p = 1 `max_k H_kk`; at p = ∞ `min(n λ_max(H), Σ_kl |H_kl|)`.
pub(super) fn rff(
    map: &Rff,
    zeta: ArrayView1<'_, f64>,
    set: &UncertaintySet,
) -> Result<f64, CoreError> {
    let mut weighted = set.pull_back(map.frequencies());
    let amplitudes = map.waves(zeta).amplitudes;
    for (mut ω, a) in weighted.axis_iter_mut(Axis(0)).zip(&amplitudes) {
        ω *= a.sqrt();
    }
    let norm = operator_norm(weighted.view(), set.norm())?;
    Ok(norm * norm)
}

/// `C` of an expansion over points of `R^n`, `√3 ‖f‖_H ρ²/σ²` with ρ the longest vector of the set of
/// size 1: `‖∂²_δ k(x,·)‖²_H = 3 ‖δ‖⁴/σ⁴` in the kernel's Hilbert space.
pub(super) fn expansion(f: &Expansion, set: &UncertaintySet, n: usize) -> f64 {
    let ratio = set.longest(n) / f.kernel.sigma();
    3.0_f64.sqrt() * f.norm * ratio * ratio
}

/// `B` for sets of size γ ≥ 0, `gradient_norm = ‖Σ^{⊤/2} ∇f(x)‖_q` and `curvature = C`.
pub(super) fn loss(gamma: f64, gradient_norm: f64, curvature: f64) -> f64 {
    gamma * gradient_norm + 0.5 * gamma * gamma * curvature
}
