//! What a reference returns.

use clarabel::solver::SolverStatus;
use ndarray::Array1;

/// Clarabel's classifier. It has no certificate of ours: what it is good for is comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct ReferenceSolution {
    /// The weights ζ (D).
    pub zeta: Array1<f64>,
    /// The intercept b, 0 where the problem has none.
    pub intercept: f64,
    /// `P(ζ, b)`, by [`crate::certificate`].
    pub objective: f64,
    /// The value that Clarabel reports for the cone program.
    pub reported_objective: f64,
    /// How Clarabel ended.
    pub status: SolverStatus,
    /// Clarabel's iterations.
    pub iterations: usize,
    /// Clarabel's own time in seconds, without making the program; not the same at every run.
    pub seconds: f64,
}
