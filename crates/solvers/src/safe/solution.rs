//! What the safe SVM's solver returns.

use crate::Solution;
use ndarray::Array1;

/// How a descent ended. F is not convex: none of these says that its minimum was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SafeStatus {
    /// A convex combination of gradients at points within the smallest radius is within the tolerance, where the box
    /// does not block it: s is as good as stationary (A. Goldstein's ε-stationarity, Math. Program. 13 (1977)).
    Stationary,
    /// F hardly falls any more, or no step lowers it and none of the gradients near s says why: the limit of the
    /// lower problem's accuracy.
    Stalled,
    /// w = 0: nothing is learnt at these scales, and nothing changes near them.
    Constant,
    /// The largest number of lower problems was reached first.
    SolveLimit,
    /// The lower problem of the start was not solved.
    Unsolved,
}

impl SafeStatus {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stationary => "stationary",
            Self::Stalled => "stalled",
            Self::Constant => "constant",
            Self::SolveLimit => "solve-limit",
            Self::Unsolved => "unsolved",
        }
    }
}

/// One point of a descent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// `F(s)`.
    pub upper_objective: f64,
    /// `Σ_t ln s_t`: the logarithm of the ellipsoid's volume, but for that of the unit ball.
    pub log_volume: f64,
    /// `‖P(s − ∇F) − s‖₂`, P the projection onto the box of s.
    pub projected_gradient: f64,
    /// The certified relative gap of the lower problem.
    pub lower_gap: f64,
    /// Whether K was singular (see the module's docs).
    pub singular: bool,
}

/// The points of a descent from one start, in order: F never rises.
#[derive(Debug, Clone, PartialEq)]
pub struct Descent {
    /// The points; the first is the start, projected onto the box.
    pub steps: Vec<Step>,
    /// How it ended.
    pub status: SafeStatus,
    /// As [`SafeSolution::combined_gradient`], at the last point.
    pub combined_gradient: f64,
    /// Lower problems solved.
    pub lower_solves: usize,
}

/// The best point of all descents.
#[derive(Debug, Clone, PartialEq)]
pub struct SafeSolution {
    /// The scales s (n), in [s_min, s_max].
    pub s: Array1<f64>,
    /// The classifier there, the lower solution with its certified gap.
    pub lower: Solution,
    /// `F(s)`.
    pub upper_objective: f64,
    /// `‖P(s − ∇F) − s‖₂`: 0 at a stationary point where F is smooth; it need not be small at a kink.
    pub projected_gradient: f64,
    /// The same of the shortest convex combination of the gradients near s: what [`SafeStatus::Stationary`] is about.
    pub combined_gradient: f64,
    /// `Σ_t ln s_t`.
    pub log_volume: f64,
    /// How the descent to it ended.
    pub status: SafeStatus,
    /// Index of the start it was reached from.
    pub start: usize,
    /// The whole trace, a descent for each start.
    pub descents: Vec<Descent>,
}
