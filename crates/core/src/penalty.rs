//! What a feature-uncertainty bound tells a solver: `Γ_i` for each sample and the matrix `A_i` of the
//! penalty `Γ_i ‖A_i ζ‖_q̄` [Couellan & Jan (10), corrected: `A = R^{−⊤}`].

use crate::uncertainty::Norm;
use ndarray::{Array1, Array2, ArrayView1, Axis};

/// The matrix `A_i` of the penalty `‖A_i ζ‖_q̄`.
#[derive(Debug, Clone, PartialEq)]
pub enum PenaltyMatrix {
    /// `AᵀA = I`, q̄ = 2: then `‖A ζ‖₂ = ‖ζ‖₂`, whatever rotation A is.
    Orthogonal,
    /// `A = diag(a)` for all samples, of length D; q̄ = 2.
    Diagonal(Array1<f64>),
    /// A for all samples (k × D); q̄ = 2.
    Dense(Array2<f64>),
    /// A rotation for each sample and another norm: `A_i` turns the pair j of features by `−angles[i, j]`.
    Rotations {
        /// The angles (L × D/2).
        angles: Array2<f64>,
        /// q̄.
        norm: Norm,
    },
}

impl PenaltyMatrix {
    /// `‖A ζ‖₂` where one A and q̄ = 2 serve every sample, `None` otherwise.
    pub fn common_norm(&self, zeta: ArrayView1<'_, f64>) -> Option<f64> {
        match self {
            Self::Orthogonal => Some(zeta.dot(&zeta).sqrt()),
            Self::Diagonal(a) => {
                let square: f64 = zeta.iter().zip(a).map(|(z, a)| (a * z) * (a * z)).sum();
                Some(square.sqrt())
            }
            Self::Dense(a) => Some(Norm::Two.of(a.dot(&zeta).view())),
            Self::Rotations { .. } => None,
        }
    }
}

/// A bound on how far uncertainty moves each sample's features:
/// `⟨ζ, φ(x_i+δ) − φ(x_i)⟩ ≤ Γ_i ‖A_i ζ‖_q̄` for every ζ and every δ in the sample's uncertainty set.
#[derive(Debug, Clone, PartialEq)]
pub struct FeaturePenalty {
    /// `Γ_i ≥ 0`, one a sample.
    pub radii: Array1<f64>,
    /// `A_i`.
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

    /// `Γ_i ‖A_i ζ‖_q̄` of each sample: by how much uncertainty lowers `y f(x_i)` at most.
    ///
    /// # Panics
    /// If `zeta` is not D long.
    pub fn losses(&self, zeta: ArrayView1<'_, f64>) -> Array1<f64> {
        match &self.matrix {
            PenaltyMatrix::Rotations { angles, norm } => {
                let norms = angles.map_axis(Axis(1), |angles| rotated_norm(zeta, angles, *norm));
                norms * &self.radii
            }
            common => {
                let norm = common.common_norm(zeta).expect("one A for all samples");
                &self.radii * norm
            }
        }
    }
}

/// `‖Rζ‖_q̄`, R turning the pair j of ζ by `−angles[j]`.
///
/// # Panics
/// If `zeta` is not twice as long as `angles`.
pub fn rotated_norm(zeta: ArrayView1<'_, f64>, angles: ArrayView1<'_, f64>, norm: Norm) -> f64 {
    assert_eq!(zeta.len(), 2 * angles.len(), "an angle a pair of weights");
    let turned = zeta
        .exact_chunks(2)
        .into_iter()
        .zip(angles)
        .map(|(pair, angle)| {
            let (sin, cos) = angle.sin_cos();
            (cos * pair[0] + sin * pair[1], cos * pair[1] - sin * pair[0])
        });
    match norm {
        Norm::One => turned.fold(0.0, |m, (a, b)| m + a.abs() + b.abs()),
        Norm::Two => turned.fold(0.0, |m, (a, b)| m + a * a + b * b).sqrt(),
        Norm::Infinity => turned.fold(0.0, |m, (a, b)| m.max(a.abs()).max(b.abs())),
    }
}

#[cfg(test)]
mod tests {
    use super::{FeaturePenalty, PenaltyMatrix};
    use crate::uncertainty::Norm;
    use approx::assert_relative_eq;
    use ndarray::{Array1, array};
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn losses_worked_by_hand() {
        let losses = |matrix| {
            let radii = array![1.0, 2.0];
            FeaturePenalty { radii, matrix }.losses(array![3.0, 4.0].view())
        };
        assert_relative_eq!(losses(PenaltyMatrix::Orthogonal), array![5.0, 10.0]);
        let diagonal = PenaltyMatrix::Diagonal(array![1.0, 0.0]);
        assert_relative_eq!(losses(diagonal), array![3.0, 6.0]);
        let dense = PenaltyMatrix::Dense(array![[1.0, 1.0], [1.0, -1.0], [0.0, 0.0]]);
        assert_relative_eq!(losses(dense), array![50.0_f64.sqrt(), 200.0_f64.sqrt()]);
        // (3, 4) and its turn by −90°, (4, −3).
        for (norm, expected) in [(Norm::One, [7.0, 14.0]), (Norm::Infinity, [4.0, 8.0])] {
            let angles = array![[0.0], [FRAC_PI_2]];
            let rotations = PenaltyMatrix::Rotations { angles, norm };
            assert_relative_eq!(
                losses(rotations),
                Array1::from_vec(expected.to_vec()),
                epsilon = 1e-14
            );
        }
        // Turned back by its own angle, all of it lies along the first axis.
        let angles = array![[4.0_f64.atan2(3.0)], [0.0]];
        let matrix = PenaltyMatrix::Rotations {
            angles,
            norm: Norm::Infinity,
        };
        assert_relative_eq!(losses(matrix), array![5.0, 8.0], epsilon = 1e-14);
    }
}
