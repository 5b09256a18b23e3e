//! The iterate, its residuals, and the starting point.

use super::data::ConicData;
use super::products::Products;
use crate::workers::Workers;
use ndarray::ArrayView1;

/// The variables of the optimality conditions; also a direction in them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variables {
    /// x = (ζ, b, t).
    pub(super) x: Vec<f64>,
    /// The margins' slacks s (L), > 0.
    pub(super) s: Vec<f64>,
    /// The losses ξ (L), > 0.
    pub(super) xi: Vec<f64>,
    /// The multipliers α of s (L), > 0.
    pub(super) alpha: Vec<f64>,
    /// The multipliers μ of ξ (L), > 0.
    pub(super) mu: Vec<f64>,
    /// The cone's slack s_c, inside the cone.
    pub(super) s_cone: Vec<f64>,
    /// The cone's multiplier z, inside the cone.
    pub(super) z_cone: Vec<f64>,
}

impl Variables {
    pub(super) fn zeros(data: &ConicData<'_>) -> Self {
        Self {
            x: vec![0.0; data.width],
            s: vec![0.0; data.rows],
            xi: vec![0.0; data.rows],
            alpha: vec![0.0; data.rows],
            mu: vec![0.0; data.rows],
            s_cone: vec![0.0; data.cone_dim()],
            z_cone: vec![0.0; data.cone_dim()],
        }
    }

    /// ζ = 0, b = 0 and α equal within each class of labels `y` with `Σα_iy_i = 0`: every condition but the
    /// stationarity in ζ and complementarity holds.
    pub(super) fn start(data: &ConicData<'_>, y: ArrayView1<'_, f64>) -> Self {
        let mut start = Self::zeros(data);
        let label = |i: usize| y[i];
        let positive = (0..data.rows).filter(|&i| label(i) > 0.0).count();
        let share = positive as f64 / data.rows as f64;
        for i in 0..data.rows {
            start.alpha[i] = if label(i) > 0.0 { 1.0 - share } else { share };
            start.mu[i] = 1.0 - start.alpha[i];
            start.s[i] = 1.0;
            start.xi[i] = 2.0;
        }
        if data.cone.is_some() {
            // z₀ = c + ΣΓ_iα_i by stationarity in t; then t of complementarity 1 with it.
            let of_radii = dot(&data.radii, &start.alpha);
            let total = data.budget + of_radii;
            let t = 1.0 / total;
            start.z_cone[0] = total;
            start.s_cone[0] = t;
            start.x[data.width - 1] = t;
            for (xi, radius) in start.xi.iter_mut().zip(&data.radii) {
                *xi += radius * t;
            }
        }
        start
    }

    /// `self += step · direction`.
    pub(super) fn advance(&mut self, step: f64, direction: &Self, workers: Workers) {
        let d = direction;
        workers.samples((&mut self.s, &mut self.xi), |i, s, xi| {
            *s += step * d.s[i];
            *xi += step * d.xi[i];
        });
        workers.samples((&mut self.alpha, &mut self.mu), |i, alpha, mu| {
            *alpha += step * d.alpha[i];
            *mu += step * d.mu[i];
        });
        for (value, change) in [
            (&mut self.x, &d.x),
            (&mut self.s_cone, &d.s_cone),
            (&mut self.z_cone, &d.z_cone),
        ] {
            for (value, change) in value.iter_mut().zip(change) {
                *value += step * change;
            }
        }
    }

    /// The average complementarity: of L pairs (s, α), L pairs (ξ, μ) and the cone, which counts once.
    pub(super) fn complementarity(&self) -> f64 {
        let cones = usize::from(!self.s_cone.is_empty());
        let total =
            dot(&self.s, &self.alpha) + dot(&self.xi, &self.mu) + dot(&self.s_cone, &self.z_cone);
        total / (2 * self.s.len() + cones) as f64
    }
}

/// By how much an iterate misses the linear optimality conditions.
pub(super) struct Residuals {
    /// `Qx + (0, 0, c) − Bᵀα − Cᵀz` (width).
    pub(super) stationarity: Vec<f64>,
    /// `Bx + ξ − 1 − s` (L).
    pub(super) margin: Vec<f64>,
    /// `1 − α − μ` (L).
    pub(super) bound: Vec<f64>,
    /// `Cx − s_c` (cone).
    pub(super) cone: Vec<f64>,
}

impl Residuals {
    pub(super) fn zeros(data: &ConicData<'_>) -> Self {
        Self {
            stationarity: vec![0.0; data.width],
            margin: vec![0.0; data.rows],
            bound: vec![0.0; data.rows],
            cone: vec![0.0; data.cone_dim()],
        }
    }

    pub(super) fn update(&mut self, data: &ConicData<'_>, v: &Variables, products: &Products) {
        self.stationarity.fill(0.0);
        data.add_cone_mul_transposed(-1.0, &v.z_cone, &mut self.stationarity);
        for (r, weighted) in self.stationarity.iter_mut().zip(&products.weighted) {
            *r -= weighted;
        }
        for (r, ζ) in self.stationarity[..data.dim].iter_mut().zip(&v.x) {
            *r += data.lambda * ζ;
        }
        if let Some(q) = data.intercept {
            self.stationarity[data.dim] += q * v.x[data.dim];
        }
        if data.cone.is_some() {
            self.stationarity[data.width - 1] += data.budget;
        }
        let written = (&mut self.margin[..], &mut self.bound[..]);
        data.workers.samples(written, |i, margin, bound| {
            *margin = products.margins[i] + v.xi[i] - 1.0 - v.s[i];
            *bound = 1.0 - v.alpha[i] - v.mu[i];
        });
        data.cone_mul(&v.x, &mut self.cone);
        for (r, s) in self.cone.iter_mut().zip(&v.s_cone) {
            *r -= s;
        }
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
