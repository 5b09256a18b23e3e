//! The projection bound for Nyström features: `φ(x)` are the coordinates of an orthogonal projection of
//! `k(x,·)`, and a projection does not lengthen, so `φ` moves no further than `k(x,·)` itself.

use ndarray::{Array1, ArrayView1};
use robust_svm_core::features::Nystrom;
use robust_svm_core::uncertainty::UncertaintySet;

/// `Γ_i = sqrt(2 − 2 exp(−ρ_i²/2σ²))` with `ρ_i = γ_i ‖Σ^{1/2}‖_{p→2}`, for every p; one radius for each
/// entry of `gamma`, sets of `R^n`.
pub(crate) fn radii(
    map: &Nystrom,
    set: &UncertaintySet,
    gamma: ArrayView1<'_, f64>,
) -> Array1<f64> {
    let longest = set.longest(map.landmarks().ncols());
    gamma.mapv(|gamma| map.kernel().movement(gamma * longest))
}
