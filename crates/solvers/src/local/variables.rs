//! The iterate, its residuals, and the starting point.

use super::blocks::Blocks;
use super::cones::{all_inside, longest_step_of_all};
use super::data::ConicData;
use super::psd::is_inside;
use super::scalings::Scalings;
use crate::SolverError;
use crate::interior_point::dot;

/// The variables of the optimality conditions; also a direction in them.
pub(super) struct Variables {
    /// x = (ζ, b, r, a).
    pub(super) x: Vec<f64>,
    /// The losses ξ (L), > 0.
    pub(super) xi: Vec<f64>,
    /// Their multipliers μ (L), > 0.
    pub(super) mu: Vec<f64>,
    /// The slacks in the cones.
    pub(super) s: Blocks,
    /// Their multipliers; the heads of the samples are α.
    pub(super) z: Blocks,
}

impl Variables {
    pub(super) fn zeros(data: &ConicData) -> Self {
        Self {
            x: vec![0.0; data.width],
            xi: vec![0.0; data.samples],
            mu: vec![0.0; data.samples],
            s: Blocks::zeros(data),
            z: Blocks::zeros(data),
        }
    }

    /// ζ = 0, b = 0 and α equal within each class with `Σα_iy_i = 0`, whatever the rule for b: every condition but the stationarity in ζ and
    /// complementarity holds.
    pub(super) fn start(data: &mut ConicData) -> Result<Self, SolverError> {
        let mut start = Self::zeros(data);
        let (samples, cone) = (data.samples, data.n + 1);
        let positive = (0..samples).filter(|&i| data.labels[i] > 0.0).count();
        let share = positive as f64 / samples as f64;
        let mut total = 0.0;
        for i in 0..samples {
            let alpha = if data.labels[i] > 0.0 {
                1.0 - share
            } else {
                share
            };
            start.z.samples[i * cone] = alpha;
            start.mu[i] = 1.0 - alpha;
            total += alpha * data.share(i);
        }
        let mut heads = vec![0.0; data.curvature.count];
        let (dim, z) = (data.dim, &mut start.z);
        data.curvature
            .start(total, &mut start.x[dim + 1..], &mut heads, &mut z.matrix)?;
        for (z, head) in z
            .curvature
            .chunks_exact_mut(data.curvature.tail + 1)
            .zip(&heads)
        {
            z[0] = *head;
        }
        data.mul(&start.x, &mut start.s);
        for i in 0..samples {
            start.s.samples[i * cone] = 1.0;
            start.xi[i] = 2.0 + data.share(i) * start.x[dim + 1];
        }
        Ok(start)
    }

    /// `self += step · direction`.
    pub(super) fn advance(&mut self, step: f64, direction: &Self) {
        for (value, change) in [
            (&mut self.x, &direction.x),
            (&mut self.xi, &direction.xi),
            (&mut self.mu, &direction.mu),
        ] {
            for (value, change) in value.iter_mut().zip(change) {
                *value += step * change;
            }
        }
        self.s.add(step, &direction.s);
        self.z.add(step, &direction.z);
    }

    /// The average complementarity: of L pairs (ξ, μ), of the second-order cones, each of which counts once, and of
    /// the matrix, which counts n times.
    pub(super) fn complementarity(&self, data: &ConicData) -> f64 {
        let total = dot(&self.xi, &self.mu)
            + dot(&self.s.samples, &self.z.samples)
            + dot(&self.s.curvature, &self.z.curvature)
            + dot(&self.s.matrix, &self.z.matrix);
        let (count, n) = (data.curvature.count, data.curvature.matrix_dim());
        total / (2 * data.samples + count + n) as f64
    }

    /// The largest step along `d`, at most `limit`, that keeps every variable in its cone.
    pub(super) fn longest_step(
        &self,
        data: &ConicData,
        scalings: &Scalings,
        d: &Self,
        limit: f64,
    ) -> f64 {
        let mut step = limit;
        for (value, change) in [(&self.xi, &d.xi), (&self.mu, &d.mu)] {
            for (value, change) in value.iter().zip(change) {
                if *change < 0.0 {
                    step = step.min(-value / change);
                }
            }
        }
        let curvature = data.curvature.tail + 1;
        for (v, d) in [(&self.s, &d.s), (&self.z, &d.z)] {
            step = longest_step_of_all(&v.samples, &d.samples, data.n + 1, step);
            step = longest_step_of_all(&v.curvature, &d.curvature, curvature, step);
        }
        if let Some(matrix) = &scalings.matrix {
            step = step
                .min(matrix.longest_step(&matrix.scaled_s(&d.s.matrix)))
                .min(matrix.longest_step(&matrix.scaled_z(&d.z.matrix)));
        }
        step
    }

    /// Whether every cone's slack and multiplier are inside.
    pub(super) fn is_inside(&self, data: &ConicData) -> bool {
        let n = data.curvature.matrix_dim();
        [&self.s, &self.z].into_iter().all(|v| {
            all_inside(&v.samples, data.n + 1)
                && all_inside(&v.curvature, data.curvature.tail + 1)
                && (n == 0 || is_inside(&v.matrix, n))
        })
    }
}

/// By how much an iterate misses the linear optimality conditions.
pub(super) struct Residuals {
    /// `Qx − Mᵀz` (width).
    pub(super) stationarity: Vec<f64>,
    /// `Mx + c + ξ − s` of every cone.
    pub(super) slacks: Blocks,
    /// `1 − α − μ` (L).
    pub(super) bound: Vec<f64>,
}

impl Residuals {
    pub(super) fn zeros(data: &ConicData) -> Self {
        Self {
            stationarity: vec![0.0; data.width],
            slacks: Blocks::zeros(data),
            bound: vec![0.0; data.samples],
        }
    }

    pub(super) fn update(&mut self, data: &mut ConicData, v: &Variables) {
        self.stationarity.fill(0.0);
        data.add_mul_transposed(&v.z, &mut self.stationarity);
        for r in &mut self.stationarity {
            *r = -*r;
        }
        for (r, ζ) in self.stationarity[..data.dim].iter_mut().zip(&v.x) {
            *r += data.lambda * ζ;
        }
        self.stationarity[data.dim] += data.ridge * v.x[data.dim];
        data.mul(&v.x, &mut self.slacks);
        self.slacks.add(-1.0, &v.s);
        for i in 0..data.samples {
            let head = i * (data.n + 1);
            self.slacks.samples[head] += v.xi[i] - 1.0;
            self.bound[i] = 1.0 - v.z.samples[head] - v.mu[i];
        }
    }
}
