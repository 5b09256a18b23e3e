//! What training on blocks returns.

use crate::{RelativeGap, Status, TracePoint};
use ndarray::Array1;

/// The best classifier found, with its certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamSolution {
    /// The weights ζ (D).
    pub zeta: Array1<f64>,
    /// The intercept b, the best for ζ of a grid of steps of 1/1024 around the average of the steps, within 2 of it.
    pub intercept: f64,
    /// The multipliers of the tail, feasible for the dual.
    pub multipliers: Multipliers,
    /// `P(ζ, b)`.
    pub objective: f64,
    /// `D(α)` of these multipliers, a lower bound on the optimal value; an earlier one in the trace may be larger.
    pub dual_objective: f64,
    /// `(P − D)/P`.
    pub relative_gap: RelativeGap,
    /// Epochs made.
    pub epochs: usize,
    /// How training ended; an iteration is an epoch, and what is not finite is a numerical error.
    pub status: Status,
    /// What was known whenever the gap was computed: the least objective so far, and the bound of that time's
    /// multipliers.
    pub trace: Vec<TracePoint>,
}

/// The multipliers α in two bytes a row: `α_i = factor · count_i`, a factor for each class.
#[derive(Debug, Clone, PartialEq)]
pub struct Multipliers {
    /// In how many epochs of the tail the loss of each row was active (L).
    pub counts: Vec<u16>,
    /// The factors of the negative and of the positive class, such that no α is above 1.
    pub factors: [f64; 2],
}

impl Multipliers {
    /// α_i of a row with the label `y`.
    pub fn of(&self, row: usize, y: f32) -> f64 {
        self.factors[usize::from(y > 0.0)] * f64::from(self.counts[row])
    }
}
