//! The iterate of the master problem, and its starting point.

use crate::bundle::pieces::Pieces;
use ndarray::ArrayView1;

/// The variables of the optimality conditions; also a direction in them.
pub(super) struct Variables {
    /// x = (ζ, b).
    pub(super) x: Vec<f64>,
    /// The losses ξ (L), > 0.
    pub(super) xi: Vec<f64>,
    /// Their multipliers μ (L), > 0.
    pub(super) mu: Vec<f64>,
    /// The slacks s (M), > 0.
    pub(super) s: Vec<f64>,
    /// Their multipliers β (M), > 0.
    pub(super) beta: Vec<f64>,
}

impl Variables {
    pub(super) fn zeros(pieces: &Pieces) -> Self {
        Self {
            x: vec![0.0; pieces.width],
            xi: vec![0.0; pieces.samples()],
            mu: vec![0.0; pieces.samples()],
            s: vec![0.0; pieces.len()],
            beta: vec![0.0; pieces.len()],
        }
    }

    /// ζ = 0, b = 0 and α equal within each class with `Σα_iy_i = 0`, shared by the pieces of a sample: every
    /// condition but the stationarity in ζ and complementarity holds.
    pub(super) fn start(pieces: &Pieces, y: ArrayView1<'_, f64>) -> Self {
        let mut start = Self::zeros(pieces);
        let samples = pieces.samples();
        let positive = y.iter().filter(|y| **y > 0.0).count();
        let share = positive as f64 / samples as f64;
        for i in 0..samples {
            let alpha = if y[i] > 0.0 { 1.0 - share } else { share };
            start.mu[i] = 1.0 - alpha;
            start.xi[i] = 2.0;
            let own = pieces.of(i);
            let each = alpha / own.len() as f64;
            start.s[own.clone()].fill(1.0);
            start.beta[own].fill(each);
        }
        start
    }

    /// `self += step · direction`.
    pub(super) fn advance(&mut self, step: f64, direction: &Self) {
        let pairs = [
            (&mut self.x, &direction.x),
            (&mut self.xi, &direction.xi),
            (&mut self.mu, &direction.mu),
            (&mut self.s, &direction.s),
            (&mut self.beta, &direction.beta),
        ];
        for (value, change) in pairs {
            for (value, change) in value.iter_mut().zip(change) {
                *value += step * change;
            }
        }
    }

    /// The average of the products `s_kβ_k` and `ξ_iμ_i`.
    pub(super) fn complementarity(&self) -> f64 {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let total = dot(&self.s, &self.beta) + dot(&self.xi, &self.mu);
        total / (self.s.len() + self.xi.len()) as f64
    }

    /// The longest step along `d`, at most `limit`, that leaves every variable non-negative.
    pub(super) fn longest_step(&self, d: &Self, limit: f64) -> f64 {
        let mut step = limit;
        for (value, change) in [
            (&self.xi, &d.xi),
            (&self.mu, &d.mu),
            (&self.s, &d.s),
            (&self.beta, &d.beta),
        ] {
            for (value, change) in value.iter().zip(change) {
                if *change < 0.0 {
                    step = step.min(-value / change);
                }
            }
        }
        step
    }
}
