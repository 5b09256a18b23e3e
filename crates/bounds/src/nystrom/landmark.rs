//! The bound by landmarks for Nyström features (derived), with `A = Λ^{−1/2}`: each kernel value
//! `k(x, x̂_j)` by itself, from the triangle inequality.

use ndarray::{ArrayView1, ArrayView2, Zip};
use robust_svm_core::features::Nystrom;
use robust_svm_core::kernel::distance;
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_core::uncertainty::UncertaintySet;

use super::inverse_root;
use crate::kernel_change::{fall, rise};

/// `Γ_i = sqrt(Σ_j Δ_ij²)` and `A = Λ^{−1/2}`, for rows `x` (L × n), sizes `gamma` (L) and every p, with
/// `d = ‖x_i − x̂_j‖`, `ρ_i = γ_i ‖Σ^{1/2}‖_{p→2}` and
/// `Δ_ij = max(κ((d−ρ)_+) − κ(d), κ(d) − κ(d+ρ))`.
///
/// *Proof.* `⟨ζ, Δφ⟩ = ⟨Λ^{−1/2}ζ, UᵀΔk̂⟩ ≤ ‖Aζ‖ ‖Δk̂‖`, as U has orthonormal columns; the point stays
/// within ρ of where it was, so its distance to x̂_j within ρ of d, and κ falls with distance. ∎
pub(crate) fn penalty(
    map: &Nystrom,
    set: &UncertaintySet,
    x: ArrayView2<'_, f64>,
    gamma: ArrayView1<'_, f64>,
) -> FeaturePenalty {
    let (kernel, longest) = (map.kernel(), set.longest(x.ncols()));
    let radii = Zip::from(x.rows()).and(gamma).map_collect(|point, &gamma| {
        let rho = gamma * longest;
        let square = |z: ArrayView1<'_, f64>| {
            let d = distance(point, z);
            let change = rise(kernel, d, rho).max(fall(kernel, d, rho));
            change * change
        };
        let sum: f64 = map.landmarks().outer_iter().map(square).sum();
        sum.sqrt()
    });
    FeaturePenalty {
        radii,
        matrix: inverse_root(map),
    }
}
