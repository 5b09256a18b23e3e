//! The multipliers and what is kept of them.

use super::rows::{Rows, weighted_sum};
use crate::{Intercept, Problem};

/// What a step in α_i reads, side by side in memory.
pub(super) struct Coordinate {
    /// α_i.
    pub(super) alpha: f64,
    /// y_i.
    pub(super) label: f64,
    /// `‖φ_i‖²`.
    pub(super) square: f64,
}

/// α and the sums of it that the dual is made of, with the numbers of the problem.
pub(super) struct State {
    pub(super) coordinates: Vec<Coordinate>,
    /// `v = Σα_iy_iφ_i` (D).
    pub(super) v: Vec<f64>,
    /// `‖v‖²`, kept only with a cone.
    pub(super) square: f64,
    /// `Σα_i`.
    pub(super) total: f64,
    /// `Σα_iy_i`.
    pub(super) balance: f64,
    /// λ.
    pub(super) lambda: f64,
    /// Γ, of every sample.
    pub(super) radius: f64,
    /// c.
    pub(super) budget: f64,
    /// 1 with a penalised intercept, 0 without one.
    pub(super) of_intercept: f64,
}

impl State {
    /// α = 0.
    pub(super) fn new<R: Rows>(problem: &Problem<'_>, rows: &R) -> Self {
        let coordinate = |(i, &label)| Coordinate {
            alpha: 0.0,
            label,
            square: rows.square(i),
        };
        Self {
            coordinates: problem.y().iter().enumerate().map(coordinate).collect(),
            v: vec![0.0; rows.dim()],
            square: 0.0,
            total: 0.0,
            balance: 0.0,
            lambda: problem.lambda(),
            radius: problem.penalty().radii[0],
            budget: problem.budget(),
            of_intercept: if problem.intercept() == Intercept::Penalised {
                1.0
            } else {
                0.0
            },
        }
    }

    /// Whether ζ is penalised beyond `λ/2‖ζ‖²`.
    pub(super) fn has_cone(&self) -> bool {
        self.radius > 0.0 || self.budget > 0.0
    }

    /// `G = c + ΓΣα_i`.
    pub(super) fn g(&self) -> f64 {
        self.budget + self.radius * self.total
    }

    /// The factor k of `ζ = k v`: `(1 − G/‖v‖)₊/λ`.
    pub(super) fn factor(&self) -> f64 {
        let norm = self.square.sqrt();
        if !self.has_cone() {
            1.0 / self.lambda
        } else if norm > self.g() {
            (1.0 - self.g() / norm) / self.lambda
        } else {
            0.0
        }
    }

    /// `b = Σα_iy_i/λ`, the intercept that belongs to α; 0 without an intercept.
    pub(super) fn intercept(&self) -> f64 {
        self.of_intercept * self.balance / self.lambda
    }

    /// D(α) by the sums kept.
    pub(super) fn dual_value(&self) -> f64 {
        let length = self.factor() * self.lambda * norm(&self.v);
        let balance = self.of_intercept * self.balance;
        self.total - (length * length + balance * balance) / (2.0 * self.lambda)
    }

    /// Computes `‖v‖²`, `Σα_i` and `Σα_iy_i` anew: rounding in their steps does not add up over epochs.
    pub(super) fn refresh_sums(&mut self) {
        self.square = self.v.iter().map(|v| v * v).sum();
        self.total = self.coordinates.iter().map(|c| c.alpha).sum();
        self.balance = self.coordinates.iter().map(|c| c.alpha * c.label).sum();
    }

    /// Computes v anew too.
    pub(super) fn refresh<R: Rows>(&mut self, rows: &R) {
        let weights: Vec<f64> = self.coordinates.iter().map(|c| c.alpha * c.label).collect();
        weighted_sum(rows, &weights, &mut self.v);
        self.refresh_sums();
    }
}

pub(super) fn norm(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}
