//! What a feature-uncertainty bound tells a solver: `Γ_i` for each sample and the matrix `A` of the
//! penalty `Γ_i ‖A ζ‖₂` [Couellan & Jan (10), corrected: `A = R^{−⊤}`].

use ndarray::{Array1, ArrayView1};

/// The matrix `A` of the penalty `‖A ζ‖₂`, one for all samples.
#[derive(Debug, Clone, PartialEq)]
pub enum PenaltyMatrix {
    /// `AᵀA = I`: then `‖A ζ‖₂ = ‖ζ‖₂`, whatever rotation A is.
    Orthogonal,
    /// `A = diag(a)`, of length D.
    Diagonal(Array1<f64>),
}

impl PenaltyMatrix {
    /// `‖A ζ‖₂`.
    pub fn norm(&self, zeta: ArrayView1<'_, f64>) -> f64 {
        match self {
            Self::Orthogonal => zeta.dot(&zeta).sqrt(),
            Self::Diagonal(a) => zeta
                .iter()
                .zip(a)
                .map(|(z, a)| (a * z) * (a * z))
                .sum::<f64>()
                .sqrt(),
        }
    }

    /// The diagonal of A where it is not orthogonal.
    pub fn diagonal(&self) -> Option<&Array1<f64>> {
        match self {
            Self::Orthogonal => None,
            Self::Diagonal(a) => Some(a),
        }
    }
}

/// A bound on how far uncertainty moves each sample's features: `⟨ζ, φ(x_i+δ) − φ(x_i)⟩ ≤ Γ_i ‖A ζ‖₂`
/// for every ζ and every δ in the sample's uncertainty set.
#[derive(Debug, Clone, PartialEq)]
pub struct FeaturePenalty {
    /// `Γ_i ≥ 0`, one a sample.
    pub radii: Array1<f64>,
    /// `A`.
    pub matrix: PenaltyMatrix,
}

impl FeaturePenalty {
    /// No uncertainty: `Γ_i = 0` for `samples` samples.
    pub fn none(samples: usize) -> Self {
        Self {
            radii: Array1::zeros(samples),
            matrix: PenaltyMatrix::Orthogonal,
        }
    }
}
