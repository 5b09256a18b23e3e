//! The paper's bound for paired random Fourier features [Couellan & Jan, Prop. 4.1]: each frequency by
//! itself, so about √n too large on n-dimensional data. Kept as the reference.

use ndarray::ArrayView1;
use robust_svm_core::penalty::FeaturePenalty;

use super::{FeatureNorm, only_paired, rotated};
use crate::{BoundError, FeatureBound, MapKind, Question};

/// `paper` (p̄ = 2), `paper-1`, `paper-inf`: for every set, and maps in the paired form. With
/// `θ_ij = γ_i ‖Σ_i^{⊤/2} ω_j‖_q`, `α = min(2, θ²/2) ≥ 1 − cos t` and `β = min(1, θ) ≥ |sin t|`:
///
/// - p̄ = 1: `Γ_i = sqrt(2/D) Σ_j (α_ij + β_ij)`;
/// - p̄ = 2: `sqrt(4/D Σ_j α_ij)`, from `(1 − cos t)² + sin² t = 2 (1 − cos t)`; the sum stands inside the
///   root;
/// - p̄ = ∞: `sqrt(2/D) max_j max(α_ij, β_ij)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paper(
    /// p̄.
    pub FeatureNorm,
);

impl FeatureBound for Paper {
    fn name(&self) -> &'static str {
        match self.0 {
            FeatureNorm::One => "paper-1",
            FeatureNorm::Two => "paper",
            FeatureNorm::Infinity => "paper-inf",
        }
    }

    fn map(&self) -> MapKind {
        MapKind::Rff
    }

    fn norm(&self) -> FeatureNorm {
        self.0
    }

    fn evaluate(&self, question: &Question<'_>) -> Result<FeaturePenalty, BoundError> {
        let map = question.rff();
        only_paired(map, self.name())?;
        let radii = question.radii(
            |set| Ok(set.support(map.frequencies())),
            |supports, gamma| radius(self.0, supports.view(), gamma),
        )?;
        Ok(rotated(question, radii, self.0))
    }
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
