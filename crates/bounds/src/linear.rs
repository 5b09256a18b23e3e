//! Linear models: the support function itself, so nothing is lost [Couellan & Jan (4)].

use ndarray::Array1;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};

use crate::{BoundError, FeatureBound, MapKind, Question};

/// `exact`: `Γ_i = γ_i`, `A = Σ^{⊤/2}`, from `max_{δ∈U_i} ⟨w, δ⟩ = γ_i ‖Σ^{⊤/2} w‖_q` at q = 2 [Couellan & Jan
/// (4)]. For p = 2 and one shape Σ for all points, of any form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exact;

impl FeatureBound for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn map(&self) -> MapKind {
        MapKind::Identity
    }

    fn holds_for(&self, sets: &UncertaintySets) -> Result<(), BoundError> {
        let refuse = |reason: &str| {
            Err(BoundError::NotValid {
                bound: self.name(),
                reason: reason.into(),
            })
        };
        if sets.norm() != Norm::Two {
            return refuse(
                "its penalty ‖Aζ‖₂ is that of a set with norm p = 2: use p = 2, or random Fourier or \
                 Nyström features",
            );
        }
        let shapes = sets.shapes();
        if shapes.iter().any(|set| *set != shapes[0]) {
            return refuse(
                "one matrix A = Σ^{⊤/2} serves all points: use one shape Σ with relative sizes, or \
                 random Fourier or Nyström features",
            );
        }
        Ok(())
    }

    fn evaluate(&self, question: &Question<'_>) -> Result<FeaturePenalty, BoundError> {
        let points = 0..question.x().nrows();
        Ok(FeaturePenalty {
            radii: points
                .map(|point| question.size(point))
                .collect::<Array1<_>>(),
            matrix: matrix(&question.sets().shapes()[0]),
        })
    }
}

/// `A = Σ^{⊤/2}`.
pub(crate) fn matrix(set: &UncertaintySet) -> PenaltyMatrix {
    match set.factor() {
        Factor::Identity => PenaltyMatrix::Orthogonal,
        Factor::Diagonal(scales) => PenaltyMatrix::Diagonal(scales.clone()),
        Factor::Full(f) => PenaltyMatrix::Dense(f.t().to_owned()),
    }
}
