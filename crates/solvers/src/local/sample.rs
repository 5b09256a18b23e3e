//! One sample's share of the Newton system: its cone `(h, c) = (b_iᵀx + ξ − 1, γ_iC_iζ)` and its loss ξ.
//!
//! With `W² = η²(2wwᵀ − J)` of the cone, `p = μ/ξ`, `A = η⁻²(w₀² + ‖w₁‖²)` and `ν = 2η⁻²w₀⟨w₁, Δc⟩` (derived), the
//! linearised conditions `Δz = −W⁻²Δs − g`, `pΔξ = Δα − k` give
//!
//! ```text
//! t = ν − A(Δh without Δξ) − g₀,   Δξ = (t − k)/(p + A),   Δα = (pt + Ak)/(p + A),
//! ```
//!
//! and nothing in them cancels. As a quadratic form in x, ξ eliminated (e = w₀² + ‖w₁‖², `q = γC_iᵀw₁`):
//!
//! ```text
//! pA/(p+A) (b − (2w₀/e) q)(b − (2w₀/e) q)ᵀ + η⁻²γ²C_iᵀC_i − (2η⁻²/e) qqᵀ.
//! ```

use crate::interior_point::cone::Scaling;
use crate::interior_point::dot;

/// The weights of the quadratic form.
pub(super) struct Weights {
    /// `pA/(p+A)`, of the hinge row.
    pub(super) hinge: f64,
    /// `2w₀/e`, what the hinge row takes of q.
    pub(super) turn: f64,
    /// `2η⁻²/e`, of qqᵀ, subtracted.
    pub(super) radial: f64,
    /// `η⁻²`, of `γ²C_iᵀC_i`.
    pub(super) square: f64,
}

impl Weights {
    pub(super) fn new(scaling: &Scaling, p: f64) -> Self {
        let square = scaling.eta().powi(-2);
        let (w0, w1) = (scaling.w()[0], &scaling.w()[1..]);
        let e = w0 * w0 + dot(w1, w1);
        let a = square * e;
        Self {
            hinge: p * (a / (p + a)),
            turn: 2.0 * w0 / e,
            radial: 2.0 * square / e,
            square,
        }
    }
}

/// From `change`, the movement of the cone's slack without Δξ, to the movement Δz of its multiplier, in place; Δξ.
/// `g` is what Δz is where nothing moves, negated; 0 if absent.
pub(super) fn respond(
    scaling: &Scaling,
    p: f64,
    change: &mut [f64],
    g: Option<&[f64]>,
    k: f64,
) -> f64 {
    let square = scaling.eta().powi(-2);
    let (w0, w1) = (scaling.w()[0], &scaling.w()[1..]);
    let a = square * (w0 * w0 + dot(w1, w1));
    let along = dot(w1, &change[1..]);
    let t = 2.0 * square * w0 * along - a * change[0] - g.map_or(0.0, |g| g[0]);
    let dxi = (t - k) / (p + a);
    let radial = 2.0 * (w0 * (change[0] + dxi) - along);
    change[0] = (p * t + a * k) / (p + a);
    for (change, w) in change[1..].iter_mut().zip(w1) {
        *change = square * (radial * w - *change);
    }
    if let Some(g) = g {
        for (change, g) in change[1..].iter_mut().zip(&g[1..]) {
            *change -= g;
        }
    }
    dxi
}
