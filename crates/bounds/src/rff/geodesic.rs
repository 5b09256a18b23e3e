//! The geodesic bound for random Fourier features: `φ` lives on a sphere and `s ↦ φ(x + sδ)` runs along it at
//! constant speed, so its ends are at most the chord of that arc apart.

use robust_svm_core::CoreError;
use robust_svm_core::features::Rff;
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_core::uncertainty::{UncertaintySet, operator_norm};
use std::f64::consts::{PI, SQRT_2};

use super::orthogonal;
use crate::{BoundError, FeatureBound, MapKind, Question};

/// `geodesic`: with `t_i = γ_i sqrt(2/D) ‖WΣ_i^{1/2}‖_{p→2}`, for every set (derived)
///
/// - paired form: `Γ_i = 2 sin(min(π, t_i)/2)`;
/// - phased form: `Γ_i = 2√2 sin(min(π, t_i/√2)/2)`.
///
/// *Proof.* Paired: `‖φ‖ = 1`, and `s ↦ φ(x + sδ)`, 0 ≤ s ≤ 1, has the constant speed `sqrt(2/D) ‖Wδ‖₂`, so the
/// angle between its ends is at most that length, which is at most t_i. Phased: φ is every other coordinate of
/// `sqrt(2/D) [cos(ω_jᵀx + ν_j), sin(ω_jᵀx + ν_j)]_{j≤D}`, which runs along the sphere of radius √2 at the
/// speed `sqrt(2/D) ‖Wδ‖₂`, and leaving coordinates out does not lengthen. ∎
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geodesic;

impl FeatureBound for Geodesic {
    fn name(&self) -> &'static str {
        "geodesic"
    }

    fn map(&self) -> MapKind {
        MapKind::Rff
    }

    fn evaluate(&self, question: &Question<'_>) -> Result<FeaturePenalty, BoundError> {
        let map = question.rff();
        let radii = question.radii(
            |set| Ok(speed(map, set)?),
            |speed, gamma| radius(map, gamma * speed),
        )?;
        Ok(orthogonal(radii))
    }
}

/// `sqrt(2/D) ‖WΣ^{1/2}‖_{p→2}`: the longest arc that the set of size γ = 1 can make, in either form.
///
/// # Errors
/// [`CoreError::Numerical`] if the frequencies are not finite.
pub(crate) fn speed(map: &Rff, set: &UncertaintySet) -> Result<f64, CoreError> {
    let frequencies = set.pull_back(map.frequencies());
    Ok(map.amplitude() * operator_norm(frequencies.view(), set.norm())?)
}

/// Γ of either form for a curve of length at most `arc` ≥ 0.
pub(crate) fn radius(map: &Rff, arc: f64) -> f64 {
    match map.phases() {
        None => chord(arc),
        Some(_) => SQRT_2 * chord(arc / SQRT_2),
    }
}

/// The distance of two points of the unit sphere joined by a curve of length at most `arc` ≥ 0.
pub(crate) fn chord(arc: f64) -> f64 {
    2.0 * (0.5 * arc.min(PI)).sin()
}
