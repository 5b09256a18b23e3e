//! Exact arcs for paired random Fourier features (derived): the paper's bound with the exact range of each
//! pair in the place of `min(2, θ²/2)` and `min(1, θ)`, so never larger than it at the same p̄. For each
//! frequency by itself nothing smaller holds; what is lost is that one δ serves all of them.

use ndarray::{Array1, ArrayView1};
use robust_svm_core::features::{FeatureMap, Rff};
use robust_svm_core::uncertainty::UncertaintySet;
use std::f64::consts::{FRAC_PI_2, PI};

use super::FeatureNorm;
use crate::{BoundError, check};

/// `Γ_i` with `‖R_i (φ(x_i+δ) − φ(x_i))‖_p̄ ≤ Γ_i`, for every p; one radius for each entry of `gamma`. With
/// `θ_ij = γ_i ‖Σ^{⊤/2} ω_j‖_q`:
///
/// - p̄ = 1: `sqrt(2/D) Σ_j (1 − cos m + sin m)`, `m = min(θ_ij, 3π/4)`;
/// - p̄ = 2: `sqrt(4/D Σ_j 2 sin²(min(θ_ij, π)/2))`;
/// - p̄ = ∞: `sqrt(2/D) max_j max(2 sin²(min(θ_ij, π)/2), sin min(θ_ij, π/2))`.
///
/// *Proof.* The pair j of `RΔφ` is `sqrt(2/D) (cos t − 1, sin t)` with |t| ≤ θ. `1 − cos t = 2 sin²(t/2)`
/// grows up to |t| = π and `|sin t|` up to π/2; `1 − cos t + |sin t| = 1 + √2 sin(|t| − π/4)` grows up to
/// 3π/4; and the square of the pair's length is `(2/D) 2 (1 − cos t)`. ∎
///
/// # Errors
/// [`BoundError::Core`] if the set is not one of the map's inputs or a size is negative or not finite.
pub fn arcs(
    map: &Rff,
    set: &UncertaintySet,
    gamma: ArrayView1<'_, f64>,
    norm: FeatureNorm,
) -> Result<Array1<f64>, BoundError> {
    check::set(set, map.input_dim())?;
    check::sizes(gamma)?;
    let supports = set.support(map.frequencies());
    Ok(gamma.mapv(|gamma| radius(norm, supports.view(), gamma)))
}

/// Γ at one point from `‖Σ^{⊤/2} ω_j‖_q`, j = 1..D/2.
pub(crate) fn radius(norm: FeatureNorm, supports: ArrayView1<'_, f64>, gamma: f64) -> f64 {
    let pairs = supports.len() as f64;
    let θ = supports.iter().map(|support| gamma * support);
    match norm {
        FeatureNorm::One => {
            let largest = |θ: f64| {
                let m = θ.min(0.75 * PI);
                versine(m) + m.sin()
            };
            θ.map(largest).sum::<f64>() / pairs.sqrt()
        }
        FeatureNorm::Two => (2.0 / pairs * θ.map(|θ| versine(θ.min(PI))).sum::<f64>()).sqrt(),
        FeatureNorm::Infinity => {
            let largest = |θ: f64| versine(θ.min(PI)).max(θ.min(FRAC_PI_2).sin());
            θ.map(largest).fold(0.0, f64::max) / pairs.sqrt()
        }
    }
}

/// `1 − cos t` as `2 sin²(t/2)`, which keeps its digits at small t.
fn versine(t: f64) -> f64 {
    let s = (0.5 * t).sin();
    2.0 * s * s
}
