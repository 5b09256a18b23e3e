//! The geodesic bound for paired random Fourier features: `φ` lives on the unit sphere and
//! `s ↦ φ(x + sδ)` runs along it at the constant speed `sqrt(2/D) ‖Wδ‖₂`, so its ends are at most the
//! chord of that arc apart.

use ndarray::{Array1, ArrayView1};
use robust_svm_core::CoreError;
use robust_svm_core::features::Rff;
use robust_svm_core::uncertainty::{UncertaintySet, operator_norm};
use std::f64::consts::PI;

/// `Γ_i = 2 sin(min(π, t_i)/2)`, `t_i = γ_i sqrt(2/D) ‖WΣ^{1/2}‖_{p→2}`, for every p; one radius for each
/// entry of `gamma`.
///
/// # Errors
/// [`CoreError::Numerical`] if the frequencies are not finite.
pub(crate) fn radii(
    rff: &Rff,
    set: &UncertaintySet,
    gamma: ArrayView1<'_, f64>,
) -> Result<Array1<f64>, CoreError> {
    let speed = speed(rff, set)?;
    Ok(gamma.mapv(|gamma| chord(gamma * speed)))
}

/// `sqrt(2/D) ‖WΣ^{1/2}‖_{p→2}`: the longest arc that the set of size γ = 1 can make.
///
/// # Errors
/// As [`radii`].
pub(crate) fn speed(rff: &Rff, set: &UncertaintySet) -> Result<f64, CoreError> {
    let frequencies = set.pull_back(rff.frequencies());
    Ok(rff.amplitude() * operator_norm(frequencies.view(), set.norm())?)
}

/// The distance of two points of the unit sphere joined by a curve of length at most `arc` ≥ 0.
pub(crate) fn chord(arc: f64) -> f64 {
    2.0 * (0.5 * arc.min(PI)).sin()
}
