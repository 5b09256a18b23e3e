//! The paper's bound for Nyström features [Couellan & Jan, Prop. 4.2], with `A = Λ^{−1/2}`: its printed
//! `R^⊤ζ` in the place of `R^{−⊤}ζ` is no bound. Kept as the reference, with the factor r and without.

use ndarray::{Array1, ArrayView2};
use robust_svm_core::features::{FeatureMap, Nystrom};
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_core::uncertainty::{Norm, UncertaintySets};

use super::inverse_root;
use crate::{BoundError, FeatureBound, MapKind, Question};

/// The factor r of the printed radius, the rank of K̂.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// As printed: each of the r features by itself.
    Factor,
    /// Without it: `⟨ζ, Δφ⟩ = ⟨Pᵀζ, Δk̂⟩ ≤ ‖Pᵀζ‖ ‖Δk̂‖`, all features at once.
    Dropped,
}

/// `paper` and `paper-without-rank`: `Γ_i = sqrt(r (Σ_j k_ij² (1/τ_ij² + 1) − 2ϱ_i Σ_j k_ij² τ_ij))` and
/// A with `‖Aζ‖ = ‖Pᵀζ‖`, the paper's `Λ^{−1/2}` or `L^{−⊤}` of a triangular map, for p = 2, where `τ_ij = exp(−γ_i ‖Σ_i^{⊤/2}(x_i−x̂_j)‖/σ²)` and
/// `ϱ_i = exp(−γ_i² ‖Σ_i^{1/2}‖²/2σ²)` bound the two factors of `k(x_i+δ, x̂_j)/k(x_i, x̂_j)`; with
/// [`Rank::Dropped`] the factor r is 1. An error where a radius exceeds the range of floating point
/// (γ beyond some 26 bandwidths).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paper(
    /// With the factor r or without.
    pub Rank,
);

impl Paper {
    fn refuse<T>(self, reason: String) -> Result<T, BoundError> {
        Err(BoundError::NotValid {
            bound: self.name(),
            reason,
        })
    }
}

impl FeatureBound for Paper {
    fn name(&self) -> &'static str {
        match self.0 {
            Rank::Factor => "paper",
            Rank::Dropped => "paper-without-rank",
        }
    }

    fn map(&self) -> MapKind {
        MapKind::Nystrom
    }

    fn is_alike(&self) -> bool {
        false
    }

    fn holds_for(&self, sets: &UncertaintySets) -> Result<(), BoundError> {
        match sets.norm() {
            Norm::Two => Ok(()),
            _ => self.refuse(
                "Prop. 4.2 is for sets with norm p = 2: use \"projection\" or \"landmark\"".into(),
            ),
        }
    }

    fn evaluate(&self, question: &Question<'_>) -> Result<FeaturePenalty, BoundError> {
        let (map, x) = (question.nystrom(), question.x());
        let factor = match self.0 {
            Rank::Factor => map.dim() as f64,
            Rank::Dropped => 1.0,
        };
        let radii = question.radii_at(
            |set| Ok(set.longest(x.ncols())),
            |&longest, point, gamma| {
                let differences = &x.row(point) - &map.landmarks();
                let supports = question.sets().shape(point).support(differences.view());
                let radicand = radicand(map, differences.view(), &supports, longest, gamma);
                let radius = (factor * radicand).sqrt();
                if radius.is_finite() {
                    return Ok(radius);
                }
                self.refuse(format!(
                    "its radius overflows at γ = {gamma}: use \"projection\" or \"landmark\""
                ))
            },
        )?;
        Ok(FeaturePenalty {
            radii,
            matrix: inverse_root(map),
        })
    }
}

/// `Γ²/r` at one point with `differences` x − x̂_j, their supports and ‖Σ^{1/2}‖. With `a = γ‖Σ^{⊤/2}(x−x̂_j)‖/σ²` and `b = γ²‖Σ^{1/2}‖²/2σ²` the summand is
/// `k_j² (e^{2a} + 1 − 2e^{−a−b}) = k_j² e^{2a} (1 − e^{−2a}) + 2 k_j² (1 − e^{−a−b})`: two terms that are
/// never negative, lose no digits at small γ, and do not multiply 0 by ∞ at large γ.
fn radicand(
    map: &Nystrom,
    differences: ArrayView2<'_, f64>,
    supports: &Array1<f64>,
    longest: f64,
    gamma: f64,
) -> f64 {
    let σ2 = map.kernel().sigma() * map.kernel().sigma();
    let rho = gamma * longest;
    let b = rho * rho / (2.0 * σ2);
    differences
        .outer_iter()
        .zip(supports)
        .map(|(difference, support)| {
            let a = gamma * support / σ2;
            let exponent = -difference.dot(&difference) / σ2;
            let stretched = (2.0 * a + exponent).exp() * -(-2.0 * a).exp_m1();
            stretched - 2.0 * exponent.exp() * (-a - b).exp_m1()
        })
        .sum()
}
