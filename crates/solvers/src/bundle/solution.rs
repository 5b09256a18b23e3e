//! What the bundle method returns.

use crate::{RelativeGap, Status, TracePoint};
use ndarray::{Array1, Array2};

/// The best classifier found, with its certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct BundleSolution {
    /// The weights ζ (D).
    pub zeta: Array1<f64>,
    /// The intercept b, exactly optimal for ζ: a free one the middle of the optimal ones, but 1 where ζ = 0 and all of
    /// [−1, 1] are optimal, as f = 0 puts no point into a class.
    pub intercept: f64,
    /// The multipliers α (L), feasible for the dual: in [0, 1], with `Σα_iy_i = 0` where b is free.
    pub alpha: Array1<f64>,
    /// The sub-gradients z (L × D) of the dual point, each a convex combination of sub-gradients of `h_i`.
    pub subgradients: Array2<f64>,
    /// `P(ζ, b)`.
    pub objective: f64,
    /// `D(α, z)`, a lower bound on the optimal value.
    pub dual_objective: f64,
    /// `(P − D)/P`.
    pub relative_gap: RelativeGap,
    /// Master problems solved.
    pub iterations: usize,
    /// Newton steps in all master problems together, each one factorisation.
    pub newton_steps: usize,
    /// The pieces of all samples together in the last master problem.
    pub pieces: usize,
    /// How the solve ended; here an iteration is a master problem.
    pub status: Status,
    /// What was known after each master problem.
    pub trace: Vec<TracePoint>,
}
