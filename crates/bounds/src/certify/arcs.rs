//! The certificate by arcs for paired random Fourier features (derived): `y f(x) = Σ_j a_j cos u_j + y b` is
//! a sum of waves, and a perturbation moves the phase of each by at most θ_j.

use ndarray::{Array1, ArrayView1, ArrayView2, Axis, Zip};
use robust_svm_core::features::Rff;
use robust_svm_core::linalg::matmul_transposed;
use robust_svm_core::uncertainty::{Norm, UncertaintySet};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use super::local::Positions;
use crate::rff::{FeatureNorm, arcs_radius};

/// The waves of one model: `B = Σ_j a_j (cos v_j − cos min(π, v_j+θ_j))` with
/// `a_j = sqrt(2/D) ‖(ζ_{2j−1}, ζ_{2j})‖`, `v_j` the phase `u_j = ω_jᵀx − atan2(ζ_{2j}, ζ_{2j−1}) + π[y=−1]`
/// wrapped into [−π, π], without its sign, and `θ_j = γ ‖Σ^{⊤/2} ω_j‖_q`.
///
/// *Proof.* `|ω_jᵀδ| ≤ θ_j`, and over `|t| ≤ θ` the least of `cos(u+t)` is −1 if `v + θ ≥ π`, else
/// `cos(v+θ)`. Each term grows with θ, so B with γ. ∎
///
/// Never above `Γ‖ζ‖` with the `arcs` bound at p̄ = 2: the term is `2 sin(v + m/2) sin(m/2)` with
/// `m = min(θ, π−v)`, and Cauchy–Schwarz sums what is left.
#[derive(Debug, Clone)]
pub(super) struct Arcs {
    map: Arc<Rff>,
    /// `a_j`.
    amplitudes: Array1<f64>,
    /// `atan2(ζ_{2j}, ζ_{2j−1})`.
    shifts: Array1<f64>,
    /// `‖Σ^{⊤/2} ω_j‖_q`.
    supports: Array1<f64>,
    /// `‖ζ‖`.
    weight: f64,
}

impl Arcs {
    pub(super) fn new(map: &Arc<Rff>, zeta: ArrayView1<'_, f64>, set: &UncertaintySet) -> Self {
        let pairs = zeta.exact_chunks(2);
        Self {
            map: Arc::clone(map),
            amplitudes: pairs
                .into_iter()
                .map(|pair| map.amplitude() * Norm::Two.of(pair))
                .collect(),
            shifts: zeta
                .exact_chunks(2)
                .into_iter()
                .map(|pair| pair[1].atan2(pair[0]))
                .collect(),
            supports: set.support(map.frequencies()),
            weight: Norm::Two.of(zeta),
        }
    }

    /// `v_j` at each row of `x` (p × D/2), and a bound on their rounding: the sum `ω_jᵀx` of n products, its
    /// difference to the shift, and the multiple of 2π taken off.
    pub(super) fn positions(&self, x: ArrayView2<'_, f64>, y: ArrayView1<'_, f64>) -> Positions {
        let frequencies = self.map.frequencies();
        let mut values = matmul_transposed(x, frequencies);
        for (mut row, &label) in values.axis_iter_mut(Axis(0)).zip(y) {
            row.zip_mut_with(&self.shifts, |phase, shift| {
                let u = *phase - shift;
                let v = (u - TAU * (u / TAU).round()).abs().min(PI);
                *phase = if label < 0.0 { PI - v } else { v };
            });
        }
        let fastest = frequencies
            .outer_iter()
            .fold(0.0_f64, |fastest, ω| fastest.max(Norm::Two.of(ω)));
        let terms = frequencies.ncols() as f64 + 6.0;
        let errors = x.map_axis(Axis(1), |point| {
            terms * f64::EPSILON * (fastest * Norm::Two.of(point) + TAU)
        });
        Positions { values, errors }
    }

    /// `B` for sets of size γ ≥ 0 at a point with phases `v`, each known to ± `error`. A term changes with v
    /// no faster than `min(θ, π)`: its derivative is `sin(v+θ) − sin v`, or `−sin v` where `π − v < θ`. That
    /// times the error is added, so that rounding of v keeps B an upper bound.
    pub(super) fn loss(&self, gamma: f64, v: ArrayView1<'_, f64>, error: f64) -> f64 {
        Zip::from(&self.amplitudes)
            .and(&self.supports)
            .and(v)
            .fold(0.0, |sum, a, support, &v| {
                let θ = gamma * support;
                let m = θ.min(PI - v);
                let lost = 2.0 * (v + 0.5 * m).sin() * (0.5 * m).sin();
                sum + a * (lost + error * θ.min(PI))
            })
    }

    /// `Γ ‖ζ‖`, Γ the `arcs` bound.
    pub(super) fn norm_loss(&self, gamma: f64) -> f64 {
        self.weight * arcs_radius(FeatureNorm::Two, self.supports.view(), gamma)
    }
}
