//! The projection bound for Nyström features: `φ(x)` are the coordinates of an orthogonal projection of
//! `k(x,·)`, and a projection does not lengthen, so `φ` moves no further than `k(x,·)` itself.

use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};

use crate::{BoundError, FeatureBound, MapKind, Question};

/// `projection`: `Γ_i = sqrt(2 − 2 exp(−ρ_i²/2σ²)) ≤ √2` with `ρ_i = γ_i ‖Σ_i^{1/2}‖_{p→2}`, for every set
/// (derived).
///
/// *Proof.* `‖φ(x+δ) − φ(x)‖ ≤ ‖k(x+δ,·) − k(x,·)‖_H = sqrt(2 − 2κ(‖δ‖))`, and κ falls with distance. ∎
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Projection;

impl FeatureBound for Projection {
    fn name(&self) -> &'static str {
        "projection"
    }

    fn map(&self) -> MapKind {
        MapKind::Nystrom
    }

    fn evaluate(&self, question: &Question<'_>) -> Result<FeaturePenalty, BoundError> {
        let kernel = question.nystrom().kernel();
        Ok(FeaturePenalty {
            radii: question.radii(
                |set| Ok(set.longest(question.x().ncols())),
                |longest, gamma| kernel.movement(gamma * longest),
            )?,
            matrix: PenaltyMatrix::Orthogonal,
        })
    }
}
