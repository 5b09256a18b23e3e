//! The starting point from the solution of a similar problem, as on a path of λ or γ.

use super::data::ConicData;
use super::solution::Solution;
use super::variables::{Variables, dot};
use crate::Problem;

/// The share of the way back to the centre that α is moved, off its bounds.
const TOWARDS_CENTRE: f64 = 0.1;
/// The complementarity ξ_is_i of the losses and slacks.
const COMPLEMENTARITY: f64 = 0.1;
/// How far the cone's two sides are from its boundary, as a share of their tails; the least t, in units of the losses.
const DISTANCE: f64 = 0.5;
const LEAST_T: f64 = 1e-3;

impl Variables {
    /// Near the optimum `previous` of another problem with the same rows: every condition but the stationarity in ζ, b and
    /// complementarity holds.
    pub(super) fn near(data: &ConicData<'_>, problem: &Problem<'_>, previous: &Solution) -> Self {
        let mut v = Self::start(data, problem.y());
        for (alpha, old) in v.alpha.iter_mut().zip(&previous.alpha) {
            *alpha = TOWARDS_CENTRE * *alpha + (1.0 - TOWARDS_CENTRE) * old;
        }
        for (mu, alpha) in v.mu.iter_mut().zip(&v.alpha) {
            *mu = 1.0 - alpha;
        }
        for (x, ζ) in v.x.iter_mut().zip(&previous.zeta) {
            *x = *ζ;
        }
        if data.intercept.is_some() {
            v.x[data.dim] = previous.intercept;
        }
        v.cone_near(data);
        v.slacks_near(data);
        v
    }

    /// t above ‖Aζ‖, z₀ by stationarity in t, and z₁ opposite to Aζ, as it is at the optimum.
    fn cone_near(&mut self, data: &ConicData<'_>) {
        let Some(a) = &data.cone else { return };
        for ((s, a), ζ) in self.s_cone[1..].iter_mut().zip(a).zip(&self.x) {
            *s = a * ζ;
        }
        let norm = dot(&self.s_cone[1..], &self.s_cone[1..]).sqrt();
        let t = (1.0 + DISTANCE) * norm + LEAST_T;
        let z0 = data.budget + dot(&data.radii, &self.alpha);
        self.x[data.width - 1] = t;
        (self.s_cone[0], self.z_cone[0]) = (t, z0);
        for (z, s) in self.z_cone[1..].iter_mut().zip(&self.s_cone[1..]) {
            *z = -z0 * s / t;
        }
    }

    /// The positive s and ξ with `s − ξ = Bx − 1` and the product [`COMPLEMENTARITY`], without cancellation.
    fn slacks_near(&mut self, data: &ConicData<'_>) {
        data.mul(&self.x, &mut self.s);
        for (s, xi) in self.s.iter_mut().zip(&mut self.xi) {
            let m = *s - 1.0;
            let larger = 0.5 * (m.abs() + m.hypot(2.0 * COMPLEMENTARITY.sqrt()));
            let smaller = COMPLEMENTARITY / larger;
            (*s, *xi) = if m > 0.0 {
                (larger, smaller)
            } else {
                (smaller, larger)
            };
        }
    }
}
