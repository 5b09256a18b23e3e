//! The paper's bound for paired random Fourier features [Couellan & Jan, Prop. 4.1]: each frequency by
//! itself, so about √n too large on n-dimensional data. Kept as the reference.

use ndarray::{Array1, ArrayView1};
use robust_svm_core::features::{FeatureMap, Rff};
use robust_svm_core::uncertainty::UncertaintySet;

use super::FeatureNorm;
use crate::{BoundError, check};

/// `Γ_i` with `‖R_i (φ(x_i+δ) − φ(x_i))‖_p̄ ≤ Γ_i`, for every p; one radius for each entry of `gamma`. With
/// `θ_ij = γ_i ‖Σ^{⊤/2} ω_j‖_q`, `α = min(2, θ²/2) ≥ 1 − cos t` and `β = min(1, θ) ≥ |sin t|`:
///
/// - p̄ = 1: `sqrt(2/D) Σ_j (α_ij + β_ij)`;
/// - p̄ = 2: `sqrt(4/D Σ_j α_ij)`, from `(1 − cos t)² + sin² t = 2 (1 − cos t)`; the sum stands inside the
///   root;
/// - p̄ = ∞: `sqrt(2/D) max_j max(α_ij, β_ij)`.
///
/// # Errors
/// [`BoundError::Core`] if the set is not one of the map's inputs or a size is negative or not finite.
pub fn paper(
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
fn radius(norm: FeatureNorm, supports: ArrayView1<'_, f64>, gamma: f64) -> f64 {
    let pairs = supports.len() as f64;
    let θ = supports.iter().map(|support| gamma * support);
    // α and β of the proposition.
    let drop = |θ: f64| (0.5 * θ * θ).min(2.0);
    let swing = |θ: f64| θ.min(1.0);
    match norm {
        FeatureNorm::One => θ.map(|θ| drop(θ) + swing(θ)).sum::<f64>() / pairs.sqrt(),
        FeatureNorm::Two => (2.0 / pairs * θ.map(drop).sum::<f64>()).sqrt(),
        FeatureNorm::Infinity => {
            θ.fold(0.0_f64, |most, θ| most.max(drop(θ)).max(swing(θ))) / pairs.sqrt()
        }
    }
}
