//! The smoothed problem at a point.

use super::super::rows::Rows;
use super::super::state::{State, norm};

/// ζ and b, and what they give.
pub(super) struct Point {
    /// (ζ, b), b only where it is penalised.
    pub(super) x: Vec<f64>,
    /// `y_i(⟨ζ, φ_i⟩ + b)` (L).
    pub(super) margins: Vec<f64>,
}

/// The smoothed problem: centres α⁰ and ε.
pub(super) struct Smooth {
    /// α⁰ (L).
    pub(super) centres: Vec<f64>,
    /// ε.
    pub(super) epsilon: f64,
}

/// Sums over the samples at a point.
pub(super) struct Values {
    /// ψ.
    pub(super) smooth: f64,
    /// P.
    pub(super) primal: f64,
    /// `Σ(max{0, ℓ_i} − a_iℓ_i)`.
    pub(super) complementarity: f64,
}

impl Smooth {
    /// The multiplier that belongs to a loss's argument ℓ.
    #[inline(always)]
    pub(super) fn multiplier(&self, i: usize, loss: f64) -> f64 {
        (self.centres[i] + loss / self.epsilon).clamp(0.0, 1.0)
    }

    /// The values at `x + t d` of margins `m + t change`; writes the multipliers there.
    pub(super) fn values(
        &self,
        state: &State,
        point: &Point,
        (t, d, change): (f64, &[f64], &[f64]),
        multipliers: &mut [f64],
    ) -> Values {
        let dim = state.v.len();
        let moved = |k: usize| point.x[k] + t * d[k];
        let zeta: f64 = (0..dim).map(|k| moved(k) * moved(k)).sum();
        let b: f64 = (dim..d.len()).map(|k| moved(k) * moved(k)).sum();
        let length = zeta.sqrt();
        let penalty = state.radius * length;
        let regularisation = 0.5 * state.lambda * (zeta + b) + state.budget * length;
        let (mut smooth, mut hinges, mut products) = (0.0, 0.0, 0.0);
        for (i, ((a, m), dm)) in multipliers
            .iter_mut()
            .zip(&point.margins)
            .zip(change)
            .enumerate()
        {
            let loss = 1.0 - (m + t * dm) + penalty;
            *a = self.multiplier(i, loss);
            let away = *a - self.centres[i];
            smooth += *a * loss - 0.5 * self.epsilon * away * away;
            hinges += loss.max(0.0);
            products += *a * loss;
        }
        Values {
            smooth: regularisation + smooth,
            primal: regularisation + hinges,
            complementarity: hinges - products,
        }
    }

    /// The samples strictly between the bounds.
    pub(super) fn between(&self, state: &State, point: &Point, out: &mut Vec<u32>) {
        let penalty = 1.0 + state.radius * norm(&point.x[..state.v.len()]);
        out.clear();
        for (i, (m, centre)) in point.margins.iter().zip(&self.centres).enumerate() {
            let a = centre + (penalty - m) / self.epsilon;
            if a > 0.0 && a < 1.0 {
                out.push(i as u32);
            }
        }
    }
}

/// `out_i = y_i(⟨φ_i, d⟩ + d_b)`.
pub(super) fn signed_scores<R: Rows>(rows: &R, state: &State, d: &[f64], out: &mut [f64]) {
    let dim = state.v.len();
    super::super::rows::scores(rows, &d[..dim], out);
    let b = d.get(dim).copied().unwrap_or(0.0);
    for (out, c) in out.iter_mut().zip(&state.coordinates) {
        *out = c.label * (*out + b);
    }
}
