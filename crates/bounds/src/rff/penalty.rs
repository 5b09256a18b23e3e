//! What the bounds for random Fourier features share: their matrix, and the form they are for.

use ndarray::Array1;
use robust_svm_core::features::Rff;
use robust_svm_core::linalg::matmul_transposed;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::Norm;

use super::FeatureNorm;
use crate::{BoundError, Question};

/// `Γ_i` in the Euclidean norm, where rotations do not matter.
pub(super) fn orthogonal(radii: Array1<f64>) -> FeaturePenalty {
    FeaturePenalty {
        radii,
        matrix: PenaltyMatrix::Orthogonal,
    }
}

/// `Γ_i` in the norm p̄ after the rotation `R_i` by the angles `−ω_jᵀx_i`: `A_i = R_i^{−⊤} = R_i`, and q̄ is the
/// dual of p̄.
pub(super) fn rotated(
    question: &Question<'_>,
    radii: Array1<f64>,
    norm: FeatureNorm,
) -> FeaturePenalty {
    if norm == FeatureNorm::Two {
        return orthogonal(radii);
    }
    let angles = matmul_transposed(question.x(), question.rff().frequencies());
    let norm = Norm::from(norm).dual();
    FeaturePenalty {
        radii,
        matrix: PenaltyMatrix::Rotations { angles, norm },
    }
}

/// That `map` is in the paired form.
pub(super) fn only_paired(map: &Rff, bound: &'static str) -> Result<(), BoundError> {
    match map.phases() {
        None => Ok(()),
        Some(_) => Err(BoundError::NotValid {
            bound,
            reason:
                "it is for random Fourier features in the paired form: use \"geodesic\", \"arcs\" \
                     or \"best\" for phased ones"
                    .into(),
        }),
    }
}
