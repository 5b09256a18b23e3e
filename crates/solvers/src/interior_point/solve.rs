//! The calls of the interior-point method.

use super::axes::solve_in_axes;
use super::iterations::Iterations;
use super::settings::InteriorPointSettings;
use super::solution::{Solution, Status};
use super::span::{is_wide, solve_in_span};
use crate::problem::check_length;
use crate::workers::Workers;
use crate::{Problem, SolverError};
use robust_svm_core::penalty::PenaltyMatrix;
use std::ops::ControlFlow;

/// Solves `problem` to a certified relative gap of `settings.tolerance`.
///
/// Each iterate is certified by [`crate::certificate`]; the best primal and the best dual point seen are
/// returned, whatever the [`Status`]. The result has the same bits for any number of threads. O(L D² + D³) an iteration, or
/// O(L³) where L < D and A is orthogonal or without part; one copy of Φ in memory beside the problem's own, a sparse one if
/// few of its values are not 0.
///
/// No problem is infeasible or unbounded: ζ = 0 with losses `1 − y_ib` is feasible, and P ≥ 0. With λ > 0 the minimum over ζ is
/// attained and unique, P being strongly convex in it and, where both classes occur, without bound as |b| grows (λ = 0 is
/// [`SolverError::Lambda`]).
///
/// # Errors
/// [`SolverError::Setting`] for settings out of range; [`SolverError::Backend`] if the principal axes of a
/// dense A cannot be found. A solve that does not reach the tolerance is not
/// an error: see [`Solution::status`] and [`Solution::relative_gap`].
pub fn solve(
    problem: &Problem<'_>,
    settings: &InteriorPointSettings,
) -> Result<Solution, SolverError> {
    settings.check()?;
    Workers::parallel(settings.parallel).within(|| solve_cold(problem, settings))
}

/// [`solve`], on the threads that settings ask for.
fn solve_cold(
    problem: &Problem<'_>,
    settings: &InteriorPointSettings,
) -> Result<Solution, SolverError> {
    if is_wide(problem)
        && let Some(solution) = solve_in_span(problem, settings)?
    {
        return Ok(solution);
    }
    if let PenaltyMatrix::Dense(a) = &problem.penalty().matrix {
        return solve_in_axes(problem, a.view(), settings);
    }
    Ok(solve_as_given(problem, settings))
}

/// [`solve`], started near the solution `previous` of a similar problem with the same rows, such as the last one on a path of
/// λ or γ: to the same tolerance in fewer iterations, a sixth to two fifths fewer on steps of 1.6 in λ. A start that
/// does not lead to the tolerance is made again without it: the better of the two solutions is returned, with its own trace and the iterations of
/// both, each of which takes `settings.max_iterations` at most. Wide problems and those with a dense A are solved in other
/// coordinates, and from the usual start.
///
/// # Errors
/// As [`solve`], and [`SolverError::Shape`] if `previous` has other numbers of features or samples.
pub fn solve_from(
    problem: &Problem<'_>,
    settings: &InteriorPointSettings,
    previous: &Solution,
) -> Result<Solution, SolverError> {
    settings.check()?;
    let (rows, dim) = problem.samples().dim();
    check_length("weights of the previous solution", dim, previous.zeta.len())?;
    check_length(
        "multipliers of the previous solution",
        rows,
        previous.alpha.len(),
    )?;
    Workers::parallel(settings.parallel).within(|| solve_warm(problem, settings, previous))
}

/// [`solve_from`], on the threads that settings ask for.
fn solve_warm(
    problem: &Problem<'_>,
    settings: &InteriorPointSettings,
    previous: &Solution,
) -> Result<Solution, SolverError> {
    let dense = matches!(problem.penalty().matrix, PenaltyMatrix::Dense(_));
    if is_wide(problem) || dense {
        return solve_cold(problem, settings);
    }
    let warm = solve_near(problem, settings, Some(previous));
    if warm.status == Status::Solved {
        return Ok(warm);
    }
    let cold = solve_as_given(problem, settings);
    let iterations = warm.iterations + cold.iterations;
    let better = if warm.relative_gap < cold.relative_gap {
        warm
    } else {
        after(warm.iterations, cold)
    };
    Ok(Solution {
        iterations,
        ..better
    })
}

/// `solution`, found after `iterations` that led elsewhere.
fn after(iterations: usize, mut solution: Solution) -> Solution {
    for point in &mut solution.trace {
        point.iteration += iterations;
    }
    solution
}

/// Solves a problem, whose A is not dense, without turning its features first.
pub(super) fn solve_as_given(problem: &Problem<'_>, settings: &InteriorPointSettings) -> Solution {
    solve_near(problem, settings, None)
}

/// [`solve_as_given`], started near `previous` if there is one.
fn solve_near(
    problem: &Problem<'_>,
    settings: &InteriorPointSettings,
    previous: Option<&Solution>,
) -> Solution {
    let mut iterations = Iterations::new(problem, settings);
    let mut state = iterations.start(previous);
    let status = loop {
        if let ControlFlow::Break(status) = iterations.next(&mut state) {
            break status;
        }
    };
    drop(iterations);
    state.solution(problem, settings, status)
}
