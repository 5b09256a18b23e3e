//! What the solvers of [`Problem`](crate::Problem) return.

use crate::{RelativeGap, TracePoint};
use ndarray::Array1;

/// How a solve ended. Whatever the status, the certified gap of the [`Solution`] says how good it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The certified relative gap is within the tolerance.
    Solved,
    /// The largest number of iterations was reached first.
    IterationLimit,
    /// The steps became too short, or the gap stopped falling: the limit of the arithmetic.
    Stalled,
    /// A factorisation failed or a direction was not finite.
    NumericalError,
}

/// The best classifier found, with its certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The weights ζ (D).
    pub zeta: Array1<f64>,
    /// The intercept b, exactly optimal for ζ: a free one the middle of the optimal ones, but 1 where ζ = 0 and all of
    /// [−1, 1] are optimal, as f = 0 puts no point into a class.
    pub intercept: f64,
    /// The multipliers α (L), feasible for the dual: in [0, 1], with `Σα_iy_i = 0` where b is free.
    pub alpha: Array1<f64>,
    /// `P(ζ, b)`.
    pub objective: f64,
    /// `D(α)`, a lower bound on the optimal value.
    pub dual_objective: f64,
    /// `(P − D)/P`.
    pub relative_gap: RelativeGap,
    /// Iterations made; of coordinate descent, epochs and Newton steps.
    pub iterations: usize,
    /// How the solve ended.
    pub status: Status,
    /// What was known after each iteration; of coordinate descent, whenever the gap was computed, and after each of
    /// Newton's steps, whose dual objective is P less a bound on the gap.
    pub trace: Vec<TracePoint>,
}

impl Status {
    /// The status that a gap computed afresh says.
    pub(crate) fn judged(self, gap: RelativeGap, tolerance: f64) -> Self {
        match self {
            _ if gap.value() <= tolerance => Self::Solved,
            Self::Solved => Self::Stalled,
            other => other,
        }
    }
}

impl Solution {
    /// The same with the status that its gap says: values computed afresh may differ from those that ended the solve.
    pub(crate) fn judged(self, tolerance: f64) -> Self {
        let status = self.status.judged(self.relative_gap, tolerance);
        Self { status, ..self }
    }
}
