//! The norms of feature movements.

use robust_svm_core::uncertainty::Norm;

/// The norm p̄ of `‖R_i Δφ_i‖_p̄ ≤ Γ_i` [Couellan & Jan (9)], a norm of features; p is that of the inputs'
/// perturbations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureNorm {
    /// p̄ = 1.
    One,
    /// p̄ = 2.
    Two,
    /// p̄ = ∞.
    Infinity,
}

impl FeatureNorm {
    /// Every norm.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Infinity];
}

impl From<FeatureNorm> for Norm {
    fn from(norm: FeatureNorm) -> Self {
        match norm {
            FeatureNorm::One => Self::One,
            FeatureNorm::Two => Self::Two,
            FeatureNorm::Infinity => Self::Infinity,
        }
    }
}
