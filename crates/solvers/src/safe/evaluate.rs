//! The upper objective at given scales, with its gradient.

use super::SafeProblem;
use super::edge::edge;
use super::hypergradient::hypergradient;
use super::upper::Upper;
use crate::{InteriorPointSettings, Solution, SolverError, solve};
use ndarray::{Array1, ArrayView1};

/// w is 0 where `λ/2 ‖w‖²` is no larger than this share of the lower objective, or than the certified gap's.
const ZERO_WEIGHTS: f64 = 1e-9;

/// The upper objective at scales s, and what follows from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// `F(s)`, the sum of the validation losses, ≥ 0.
    pub upper_objective: f64,
    /// `∂F/∂s` (n), equation (6) of the module's docs; 0 where [`Evaluation::constant`].
    pub gradient: Array1<f64>,
    /// The lower solution, with its certified gap.
    pub lower: Solution,
    /// The training samples at the edge of their loss, 0 < α_i < 1, in order: while they and the sets beside them
    /// stay the same, F is smooth but for kinks of the validation losses.
    pub edge: Vec<usize>,
    /// Whether the matrix K was singular: rows of samples at the edge that depend on each other.
    pub singular: bool,
    /// Whether w = 0: nothing is learnt, and nothing changes near s.
    pub constant: bool,
}

/// Solves the lower problem at scales `s` (n, finite) and differentiates F there.
///
/// # Errors
/// [`SolverError::Shape`] or [`SolverError::NotFinite`] for `s`, [`SolverError::Setting`] for the settings,
/// [`SolverError::Backend`] if the eigenvalues of K cannot be found.
pub fn evaluate(
    problem: &SafeProblem<'_>,
    s: ArrayView1<'_, f64>,
    settings: &InteriorPointSettings,
) -> Result<Evaluation, SolverError> {
    let (lower, upper) = solve_lower(problem, s, settings)?;
    differentiate(problem, s, lower, &upper)
}

/// The lower solution at `s`, and F there.
pub(super) fn solve_lower(
    problem: &SafeProblem<'_>,
    s: ArrayView1<'_, f64>,
    settings: &InteriorPointSettings,
) -> Result<(Solution, Upper), SolverError> {
    let penalty = problem.penalty(s);
    let lower = solve(&problem.lower(&penalty)?, settings)?;
    let upper = Upper::of(problem.validation(), lower.zeta.view(), lower.intercept);
    Ok((lower, upper))
}

/// The gradient of F at `s`, of which `lower` is the lower solution and `upper` is F.
pub(super) fn differentiate(
    problem: &SafeProblem<'_>,
    s: ArrayView1<'_, f64>,
    lower: Solution,
    upper: &Upper,
) -> Result<Evaluation, SolverError> {
    let w = &lower.zeta;
    let zero = ZERO_WEIGHTS.max(lower.relative_gap.value()) * lower.objective;
    let norm = (&s * w).mapv(|v| v * v).sum().sqrt();
    if 0.5 * problem.lambda() * w.dot(w) <= zero || norm == 0.0 {
        return Ok(Evaluation {
            upper_objective: upper.value,
            gradient: Array1::zeros(s.len()),
            lower,
            edge: Vec::new(),
            singular: false,
            constant: true,
        });
    }
    let edge = edge(problem, &lower, norm);
    let found = hypergradient(problem, s, &lower, norm, &edge, upper)?;
    Ok(Evaluation {
        upper_objective: upper.value,
        gradient: found.gradient,
        lower,
        edge,
        singular: found.singular,
        constant: false,
    })
}
