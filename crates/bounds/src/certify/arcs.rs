//! The certificate by arcs for random Fourier features (derived): `y f(x) = Σ_j a_j cos u_j + y b` is a sum of
//! waves, and a perturbation moves the phase of each by at most θ_j.

use ndarray::{Array1, ArrayView1};
use robust_svm_core::features::{Rff, Waves};
use robust_svm_core::uncertainty::{Norm, UncertaintySet, UncertaintySets};
use robust_svm_core::vector_math::sincos;
use std::f64::consts::{PI, SQRT_2, TAU};
use std::sync::Arc;

use super::around;
use super::local::Position;
use crate::rff::{FeatureNorm, arcs_radius};

/// The waves of one model: `B = Σ_j a_j (cos v_j − cos min(π, v_j+θ_j))` with amplitudes a_j, `v_j` the phase
/// `u_j = ω_jᵀx − s_j + π[y=−1]` wrapped into [−π, π], without its sign, and `θ_j = γ ‖Σ^{⊤/2} ω_j‖_q`.
///
/// *Proof.* `|ω_jᵀδ| ≤ θ_j`, and over `|t| ≤ θ` the least of `cos(u+t)` is −1 if `v + θ ≥ π`, else
/// `cos(v+θ)`. Each term grows with θ, so B with γ. ∎
///
/// Never above `Γ‖ζ‖` with the `arcs` bound at p̄ = 2: the term is `2 sin(v + m/2) sin(m/2)` with
/// `m = min(θ, π−v)`, and Cauchy–Schwarz sums what is left; nor above that at p̄ = 1, ∞, which bound each pair
/// by itself before Hölder's inequality sums them.
#[derive(Debug, Clone)]
pub(super) struct Arcs {
    map: Arc<Rff>,
    waves: Waves,
    /// `‖Σ^{⊤/2} ω_j‖_q` for each shape of set.
    supports: Vec<Array1<f64>>,
    /// `‖ζ‖`.
    weight: f64,
    /// b.
    intercept: f64,
    /// `max_j ‖ω_j‖`.
    fastest: f64,
}

impl Arcs {
    pub(super) fn new(
        map: &Arc<Rff>,
        zeta: ArrayView1<'_, f64>,
        intercept: f64,
        sets: &UncertaintySets,
    ) -> Self {
        let shapes = sets.shapes().iter();
        Self {
            map: Arc::clone(map),
            waves: map.waves(zeta),
            supports: shapes.map(|set| set.support(map.frequencies())).collect(),
            weight: Norm::Two.of(zeta),
            intercept,
            fastest: map
                .frequencies()
                .outer_iter()
                .fold(0.0, |fastest, ω| fastest.max(Norm::Two.of(ω))),
        }
    }

    /// `u_j` wrapped into [−π, π] at `x` (w, the number of waves), and a bound on their rounding: that of the sum `ω_jᵀx`
    /// of n products, its difference to the shift, and the multiple of 2π taken off.
    pub(super) fn position(&self, x: ArrayView1<'_, f64>, y: f64) -> Position {
        let frequencies = self.map.frequencies();
        let mut values = frequencies.dot(&x);
        values.zip_mut_with(&self.waves.shifts, |phase, shift| {
            let u = *phase - shift;
            let u = (u - TAU * (u / TAU).round()).clamp(-PI, PI);
            *phase = if y < 0.0 { u - PI.copysign(u) } else { u };
        });
        let error = self.phase_error(x);
        Position { values, error }
    }

    /// A bound on the rounding of each phase at `x` (n).
    fn phase_error(&self, x: ArrayView1<'_, f64>) -> f64 {
        let terms = x.len() as f64 + 6.0;
        terms * f64::EPSILON * (self.fastest * Norm::Two.of(x) + 2.0 * TAU)
    }

    /// How far a computed `f(x) − b` may be from the true one. A phase that is off by e moves its wave by `a e` and
    /// what a perturbation takes from it, by any certificate, by `2a e` at most; summing w waves rounds by
    /// `w 2^{−53}` of each.
    pub(super) fn evaluation_error(&self, x: ArrayView1<'_, f64>) -> f64 {
        let each = 3.0 * self.phase_error(x) + self.waves.amplitudes.len() as f64 * f64::EPSILON;
        each * self.waves.amplitudes.sum()
    }

    /// `B` for sets of size γ ≥ 0 and the shape with index `shape`, at a point with phases `u`, each known to
    /// ± `error`. A term changes with v no faster than `min(θ, π)`: its derivative is `sin(v+θ) − sin v`, or
    /// `−sin v` where `π − v < θ`. That times the error is added, so that rounding of v keeps B an upper bound.
    pub(super) fn loss(&self, shape: usize, gamma: f64, u: ArrayView1<'_, f64>, error: f64) -> f64 {
        let waves = u.len();
        // 2 sin(v + m/2) sin(m/2), the sines of all waves at once.
        let mut angles = vec![0.0; 2 * waves];
        let (middles, halves) = angles.split_at_mut(waves);
        let mut slack = 0.0;
        for (j, (u, support)) in u.iter().zip(&self.supports[shape]).enumerate() {
            let (v, θ) = (u.abs(), gamma * support);
            halves[j] = 0.5 * θ.min(PI - v);
            middles[j] = v + halves[j];
            slack += self.waves.amplitudes[j] * error * θ.min(PI);
        }
        let (mut sines, mut cosines) = (vec![0.0; 2 * waves], vec![0.0; 2 * waves]);
        sincos(&angles, &mut sines, &mut cosines);
        let (middles, halves) = sines.split_at(waves);
        let terms = middles.iter().zip(halves).zip(&self.waves.amplitudes);
        slack
            + terms
                .map(|((middle, half), a)| 2.0 * a * middle * half)
                .sum::<f64>()
    }

    /// `Γ ‖Rζ‖_q̄`, Γ the `arcs` bound: the smallest over the norms p̄ it is there for. With
    /// `a = sqrt(2/D) ‖pair‖` the rotated pair j of ζ is `sqrt(D/2) a_j (cos u_j, sin u_j)`.
    pub(super) fn norm_loss(
        &self,
        shape: usize,
        gamma: f64,
        u: ArrayView1<'_, f64>,
        error: f64,
    ) -> f64 {
        let radius = |norm| arcs_radius(norm, self.supports[shape].view(), gamma);
        let two = self.weight * radius(FeatureNorm::Two);
        if self.map.phases().is_some() {
            // 4/D Σ_{j≤D} in the place of 4/D Σ_{j≤D/2}, and a radius takes the mean over j.
            return SQRT_2 * two;
        }
        let (mut sum, mut most) = (0.0, 0.0_f64);
        for (a, u) in self.waves.amplitudes.iter().zip(u) {
            let (sin, cos) = (u.sin().abs() + error, u.cos().abs() + error);
            sum += a * (sin + cos);
            most = most.max(a * sin.max(cos));
        }
        let scale = 1.0 / self.map.amplitude();
        two.min(radius(FeatureNorm::One) * scale * most)
            .min(radius(FeatureNorm::Infinity) * scale * sum)
    }

    /// The model around a point with label `y` and phases `u`, each known to ± `error`, in the coordinates of
    /// `set`.
    pub(super) fn around(
        &self,
        set: &UncertaintySet,
        y: f64,
        u: ArrayView1<'_, f64>,
        error: f64,
    ) -> around::Waves {
        around::Waves {
            amplitudes: self.waves.amplitudes.clone(),
            frequencies: set.pull_back(self.map.frequencies()),
            phases: u.to_owned(),
            constant: y * self.intercept,
            error,
        }
    }
}
