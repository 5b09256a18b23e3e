//! The paper's bound for Nyström features [Couellan & Jan, Prop. 4.2], with `A = Λ^{−1/2}`: its printed
//! `R^⊤ζ` in the place of `R^{−⊤}ζ` is no bound. Kept as the reference, with the factor r and without.

use ndarray::{Array1, ArrayView1, ArrayView2};
use robust_svm_core::features::{FeatureMap, Nystrom};
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_core::uncertainty::{Norm, UncertaintySet};

use super::inverse_root;
use crate::{Bound, BoundError};

/// The factor r of the printed radius, the rank of K̂.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rank {
    /// As printed: each of the r features by itself.
    Factor,
    /// Without it: `‖UᵀΔk̂‖ ≤ ‖Δk̂‖` for all features at once, as U has orthonormal columns.
    Dropped,
}

/// `Γ_i = sqrt(r (Σ_j k_ij² (1/τ_ij² + 1) − 2ϱ_i Σ_j k_ij² τ_ij))` and `A = Λ^{−1/2}`, for rows `x` (L × n)
/// and sizes `gamma` (L), where `τ_ij = exp(−γ_i ‖Σ^{⊤/2}(x_i−x̂_j)‖/σ²)` and
/// `ϱ_i = exp(−γ_i² ‖Σ^{1/2}‖²/2σ²)` bound the two factors of `k(x_i+δ, x̂_j)/k(x_i, x̂_j)`; with
/// [`Rank::Dropped`] the factor r is 1.
///
/// # Errors
/// [`BoundError::NotValid`] unless p = 2, and where a radius exceeds the range of floating point
/// (γ beyond some 26 bandwidths).
pub(crate) fn penalty(
    map: &Nystrom,
    set: &UncertaintySet,
    x: ArrayView2<'_, f64>,
    gamma: ArrayView1<'_, f64>,
    rank: Rank,
) -> Result<FeaturePenalty, BoundError> {
    let (bound, factor) = match rank {
        Rank::Factor => (Bound::Paper, map.dim() as f64),
        Rank::Dropped => (Bound::PaperWithoutRank, 1.0),
    };
    let refuse = |reason: String| BoundError::NotValid {
        bound: bound.name(),
        reason,
    };
    if set.norm() != Norm::Two {
        let reason = "Prop. 4.2 is for sets with norm p = 2: use \"projection\"";
        return Err(refuse(reason.into()));
    }
    let mut radii = Array1::zeros(gamma.len());
    for ((radius, point), &gamma) in radii.iter_mut().zip(x.outer_iter()).zip(gamma) {
        *radius = (factor * radicand(map, set, point, gamma)).sqrt();
        if !radius.is_finite() {
            let reason = format!("its radius overflows at γ = {gamma}: use \"projection\"");
            return Err(refuse(reason));
        }
    }
    Ok(FeaturePenalty {
        radii,
        matrix: inverse_root(map),
    })
}

/// `Γ²/r` at one point. With `a = γ‖Σ^{⊤/2}(x−x̂_j)‖/σ²` and `b = γ²‖Σ^{1/2}‖²/2σ²` the summand is
/// `k_j² (e^{2a} + 1 − 2e^{−a−b}) = k_j² e^{2a} (1 − e^{−2a}) + 2 k_j² (1 − e^{−a−b})`: two terms that are
/// never negative, lose no digits at small γ, and do not multiply 0 by ∞ at large γ.
fn radicand(map: &Nystrom, set: &UncertaintySet, point: ArrayView1<'_, f64>, gamma: f64) -> f64 {
    let differences = &point - &map.landmarks();
    let supports = set.support(differences.view());
    let σ2 = map.kernel().sigma() * map.kernel().sigma();
    let rho = gamma * set.longest(point.len());
    let b = rho * rho / (2.0 * σ2);
    differences
        .outer_iter()
        .zip(&supports)
        .map(|(difference, support)| {
            let a = gamma * support / σ2;
            let exponent = -difference.dot(&difference) / σ2;
            let stretched = (2.0 * a + exponent).exp() * -(-2.0 * a).exp_m1();
            stretched - 2.0 * exponent.exp() * (-a - b).exp_m1()
        })
        .sum()
}
