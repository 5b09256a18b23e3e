//! Linear models: the support function itself, so nothing is lost [Couellan & Jan (4)].

use ndarray::ArrayView1;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};

use crate::BoundError;

/// `Γ_i = γ_i`, `A = Σ^{⊤/2}`, from `max_{δ∈U_i} ⟨w, δ⟩ = γ_i ‖Σ^{⊤/2} w‖_q` at q = 2.
///
/// # Errors
/// [`BoundError::NotValid`] unless p = 2, as the penalty is a Euclidean norm, and for a full Σ^{1/2}:
/// solvers take a diagonal A.
pub(crate) fn exact(
    set: &UncertaintySet,
    gamma: ArrayView1<'_, f64>,
) -> Result<FeaturePenalty, BoundError> {
    let refuse = |reason: &str| {
        Err(BoundError::NotValid {
            bound: "exact",
            reason: reason.into(),
        })
    };
    if set.norm() != Norm::Two {
        return refuse("the penalty ‖Aζ‖₂ is that of a set with norm p = 2");
    }
    let matrix = match set.factor() {
        Factor::Identity => PenaltyMatrix::Orthogonal,
        Factor::Diagonal(scales) => PenaltyMatrix::Diagonal(scales.clone()),
        Factor::Full(_) => {
            return refuse(
                "a full Σ^{1/2} needs a dense matrix A, and solvers take a diagonal one: use a \
                 diagonal Σ^{1/2}, or random Fourier or Nyström features",
            );
        }
    };
    Ok(FeaturePenalty {
        radii: gamma.to_owned(),
        matrix,
    })
}
