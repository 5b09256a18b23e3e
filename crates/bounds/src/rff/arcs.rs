//! Exact arcs for random Fourier features (derived): the exact range of each frequency by itself, in the
//! place of the paper's `min(2, θ²/2)` and `min(1, θ)`, so never larger than it at the same p̄. For each
//! frequency by itself nothing smaller holds; what is lost is that one δ serves all of them.

use ndarray::ArrayView1;
use robust_svm_core::features::Rff;
use robust_svm_core::penalty::FeaturePenalty;
use std::f64::consts::{FRAC_PI_2, PI, SQRT_2};

use super::{FeatureNorm, only_paired, rotated};
use crate::{BoundError, FeatureBound, MapKind, Question};

/// `arcs` (p̄ = 2), `arcs-1`, `arcs-inf`: for every set; p̄ = 1 and ∞ for maps in the paired form. With
/// `θ_ij = γ_i ‖Σ_i^{⊤/2} ω_j‖_q`:
///
/// - p̄ = 1: `Γ_i = sqrt(2/D) Σ_j (1 − cos m + sin m)`, `m = min(θ_ij, 3π/4)`;
/// - p̄ = 2: `sqrt(4/D Σ_j 2 sin²(min(θ_ij, π)/2))`, j = 1..D/2 in the paired form, j = 1..D in the phased;
/// - p̄ = ∞: `sqrt(2/D) max_j max(2 sin²(min(θ_ij, π)/2), sin min(θ_ij, π/2))`.
///
/// *Proof.* Paired: the pair j of `RΔφ` is `sqrt(2/D) (cos t − 1, sin t)` with |t| ≤ θ.
/// `1 − cos t = 2 sin²(t/2)` grows up to |t| = π and `|sin t|` up to π/2; `1 − cos t + |sin t| =
/// 1 + √2 sin(|t| − π/4)` grows up to 3π/4; and the square of the pair's length is
/// `(2/D) 2 (1 − cos t)`. Phased: the feature j changes by
/// `sqrt(2/D) (cos(s+t) − cos s) = −sqrt(2/D) 2 sin(s + t/2) sin(t/2)`, whose square is at most
/// `(2/D) 4 sin²(t/2)`. ∎
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arcs(
    /// p̄.
    pub FeatureNorm,
);

impl FeatureBound for Arcs {
    fn name(&self) -> &'static str {
        match self.0 {
            FeatureNorm::One => "arcs-1",
            FeatureNorm::Two => "arcs",
            FeatureNorm::Infinity => "arcs-inf",
        }
    }

    fn map(&self) -> MapKind {
        MapKind::Rff
    }

    fn norm(&self) -> FeatureNorm {
        self.0
    }

    fn evaluate(&self, question: &Question<'_>) -> Result<FeaturePenalty, BoundError> {
        let map = question.rff();
        if self.0 != FeatureNorm::Two {
            only_paired(map, self.name())?;
        }
        let radii = question.radii(
            |set| Ok(set.support(map.frequencies())),
            |supports, gamma| match self.0 {
                FeatureNorm::Two => euclidean(map, supports.view(), gamma),
                norm => radius(norm, supports.view(), gamma),
            },
        )?;
        Ok(rotated(question, radii, self.0))
    }
}

/// Γ of either form at p̄ = 2 from `‖Σ^{⊤/2} ω_j‖_q`, one for each frequency.
pub(crate) fn euclidean(map: &Rff, supports: ArrayView1<'_, f64>, gamma: f64) -> f64 {
    let paired = radius(FeatureNorm::Two, supports, gamma);
    match map.phases() {
        None => paired,
        // D is the number of frequencies, not twice it.
        Some(_) => SQRT_2 * paired,
    }
}

/// Γ of the paired form from `‖Σ^{⊤/2} ω_j‖_q`, j = 1..D/2.
pub(crate) fn radius(norm: FeatureNorm, supports: ArrayView1<'_, f64>, gamma: f64) -> f64 {
    let pairs = supports.len() as f64;
    let θ = supports.iter().map(|support| gamma * support);
    match norm {
        FeatureNorm::One => {
            let largest = |θ: f64| {
                let m = θ.min(0.75 * PI);
                versine(m) + m.sin()
            };
            θ.map(largest).sum::<f64>() / pairs.sqrt()
        }
        FeatureNorm::Two => (2.0 / pairs * θ.map(|θ| versine(θ.min(PI))).sum::<f64>()).sqrt(),
        FeatureNorm::Infinity => {
            let largest = |θ: f64| versine(θ.min(PI)).max(θ.min(FRAC_PI_2).sin());
            θ.map(largest).fold(0.0, f64::max) / pairs.sqrt()
        }
    }
}

/// `1 − cos t` as `2 sin²(t/2)`, which keeps its digits at small t.
fn versine(t: f64) -> f64 {
    let s = (0.5 * t).sin();
    2.0 * s * s
}
