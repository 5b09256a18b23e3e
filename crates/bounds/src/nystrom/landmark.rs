//! The bound by landmarks for Nyström features (derived), with `A = Λ^{−1/2}`, `Pᵀ` in general: each kernel value
//! `k(x, x̂_j)` by itself, from the triangle inequality.

use ndarray::ArrayView1;
use robust_svm_core::kernel::distance;
use robust_svm_core::penalty::FeaturePenalty;

use super::inverse_root;
use crate::kernel_change::{fall, rise};
use crate::{BoundError, FeatureBound, MapKind, Question};

/// `landmark`: `Γ_i = sqrt(Σ_j Δ_ij²)` and A with `‖Aζ‖ = ‖Pᵀζ‖`, `Λ^{−1/2}` or `L^{−⊤}`, for every set, with `d = ‖x_i − x̂_j‖`,
/// `ρ_i = γ_i ‖Σ_i^{1/2}‖_{p→2}` and `Δ_ij = max(κ((d−ρ)_+) − κ(d), κ(d) − κ(d+ρ))`.
///
/// *Proof.* `⟨ζ, Δφ⟩ = ⟨Pᵀζ, Δk̂⟩ ≤ ‖Aζ‖ ‖Δk̂‖`; the point stays
/// within ρ of where it was, so its distance to x̂_j within ρ of d, and κ falls with distance. ∎
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Landmark;

impl FeatureBound for Landmark {
    fn name(&self) -> &'static str {
        "landmark"
    }

    fn map(&self) -> MapKind {
        MapKind::Nystrom
    }

    fn is_alike(&self) -> bool {
        false
    }

    fn evaluate(&self, question: &Question<'_>) -> Result<FeaturePenalty, BoundError> {
        let (map, x) = (question.nystrom(), question.x());
        let kernel = map.kernel();
        let radii = question.radii_at(
            |set| Ok(set.longest(x.ncols())),
            |longest, point, gamma| {
                let rho = gamma * longest;
                let square = |z: ArrayView1<'_, f64>| {
                    let d = distance(x.row(point), z);
                    let change = rise(kernel, d, rho).max(fall(kernel, d, rho));
                    change * change
                };
                let sum: f64 = map.landmarks().outer_iter().map(square).sum();
                Ok(sum.sqrt())
            },
        )?;
        Ok(FeaturePenalty {
            radii,
            matrix: inverse_root(map),
        })
    }
}
