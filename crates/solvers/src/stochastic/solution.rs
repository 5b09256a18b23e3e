//! What the stochastic methods return.

use crate::{RelativeGap, Status, TracePoint};
use ndarray::Array1;

/// The best classifier found, with its certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct StochasticSolution {
    /// The weights ζ (D).
    pub zeta: Array1<f64>,
    /// The intercept b, exactly optimal for ζ: a free one the middle of the optimal ones, but 1 where ζ = 0 and all of
    /// [−1, 1] are optimal, as f = 0 puts no point into a class.
    pub intercept: f64,
    /// The multipliers α (L), feasible for the dual: in [0, 1], with `Σα_iy_i = 0` where b is free.
    pub alpha: Array1<f64>,
    /// `Z = Σα_iz_i` (D), each `z_i` a convex combination of sub-gradients of `h_i`: with α it gives the dual value, by
    /// [`summed_dual_value`](crate::certificate::summed_dual_value).
    pub subgradient: Array1<f64>,
    /// `P(ζ, b)`.
    pub objective: f64,
    /// `D(α, Z)`, a lower bound on the optimal value.
    pub dual_objective: f64,
    /// `(P − D)/P`.
    pub relative_gap: RelativeGap,
    /// Epochs made.
    pub epochs: usize,
    /// How the solve ended; here an iteration is an epoch, and what is not finite is a numerical error.
    pub status: Status,
    /// What was known whenever the gap was computed; here an iteration is an epoch.
    pub trace: Vec<TracePoint>,
}
