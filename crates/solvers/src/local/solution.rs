//! What the solver for the local bound returns.

use crate::{RelativeGap, Status, TracePoint};
use ndarray::{Array1, Array2};

/// The best classifier found, with its certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalSolution {
    /// The weights ζ (D).
    pub zeta: Array1<f64>,
    /// The intercept b, exactly optimal for ζ: a free one the middle of the optimal ones, but 1 where ζ = 0 and all of
    /// [−1, 1] are optimal, as f = 0 puts no point into a class.
    pub intercept: f64,
    /// The multipliers α (L), feasible for the dual: in [0, 1], with `Σα_iy_i = 0` where b is free.
    pub alpha: Array1<f64>,
    /// Sub-gradients `z_i` of the penalties at 0 (L × D), those of the dual value.
    pub subgradients: Array2<f64>,
    /// `P(ζ, b)`.
    pub objective: f64,
    /// `D(α, z)`, a lower bound on the optimal value.
    pub dual_objective: f64,
    /// `(P − D)/P`.
    pub relative_gap: RelativeGap,
    /// Iterations made.
    pub iterations: usize,
    /// How the solve ended.
    pub status: Status,
    /// What was known after each iteration.
    pub trace: Vec<TracePoint>,
}
