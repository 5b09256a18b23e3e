//! Descents from each start, and the best point of all.

use super::descent::Descending;
use super::point::Point;
use super::{SafeProblem, SafeSettings, SafeSolution};
use crate::SolverError;
use crate::problem::check_length;
use ndarray::ArrayView2;

/// Minimises the upper objective of `problem` from each row of `starts` (k ≥ 1 rows × n, finite; projected onto the box),
/// and returns the best point of all.
///
/// Each step follows the projected gradient, `s(η) = P(s − ηg)`, to a point that Armijo's rule accepts,
/// `F(s(η)) ≤ F(s) − 0.01 ‖s(η) − s‖²/η` [D. Bertsekas, IEEE Trans. Autom. Control 21 (1976)]: F never rises. η is
/// first the length of J. Barzilai and J. Borwein [IMA J. Numer. Anal. 8 (1988)], then shortened. Where that fails
/// within a radius of s, F has a kink: the gradient of the point tried is kept, and g is the shortest vector of the
/// convex hull of the gradients kept (the null steps of C. Lemaréchal's bundle methods, 1975), without the coordinates
/// that the box blocks. Where g vanishes, the radius is narrowed, and at its smallest the point is called stationary.
///
/// Deterministic, on the calling thread; a step costs an eigenvalue decomposition of n + 1 + |E| rows and one or more
/// lower problems.
///
/// # Errors
/// [`SolverError::Setting`] for settings out of range or no start; [`SolverError::Shape`] or
/// [`SolverError::NotFinite`] for the starts; [`SolverError::Backend`] as [`super::evaluate`]. A descent that does not
/// reach a stationary point is no error: see [`SafeSolution::status`].
pub fn solve_safe(
    problem: &SafeProblem<'_>,
    starts: ArrayView2<'_, f64>,
    settings: &SafeSettings,
) -> Result<SafeSolution, SolverError> {
    settings.check()?;
    check_starts(problem, starts)?;
    let mut descents = Vec::with_capacity(starts.nrows());
    let mut best: Option<(usize, Point)> = None;
    for (index, start) in starts.outer_iter().enumerate() {
        let (point, descent) = Descending::begin(problem, start, settings)?.finish()?;
        descents.push(descent);
        let rank = |point: &Point| (!point.is_solved(), point.upper());
        if best
            .as_ref()
            .is_none_or(|(_, best)| rank(&point) < rank(best))
        {
            best = Some((index, point));
        }
    }
    let (start, point) = best.expect("there is a start");
    let step = point.step(settings);
    Ok(SafeSolution {
        upper_objective: step.upper_objective,
        projected_gradient: step.projected_gradient,
        combined_gradient: descents[start].combined_gradient,
        log_volume: step.log_volume,
        status: descents[start].status,
        s: point.s,
        lower: point.evaluation.lower,
        start,
        descents,
    })
}

fn check_starts(problem: &SafeProblem<'_>, starts: ArrayView2<'_, f64>) -> Result<(), SolverError> {
    if starts.nrows() == 0 {
        return Err(SolverError::Setting {
            name: "starts",
            expected: "at least one row",
            found: "none".into(),
        });
    }
    check_length("width of the starts", problem.features(), starts.ncols())?;
    match starts.indexed_iter().find(|(_, v)| !v.is_finite()) {
        Some(((row, column), _)) => Err(SolverError::NotFinite {
            what: "starts",
            row,
            column,
        }),
        None => Ok(()),
    }
}
