//! The loop of the interior-point method.

use super::axes::solve_in_axes;
use super::best::Best;
use super::cone::is_inside;
use super::data::ConicData;
use super::newton::{Correction, Newton};
use super::products::Products;
use super::progress::Progress;
use super::settings::InteriorPointSettings;
use super::solution::{Solution, Status};
use super::span::{is_wide, solve_in_span};
use super::step::longest_feasible_step;
use super::variables::Variables;
use crate::linear_system::SMALL_RESIDUAL;
use crate::problem::check_length;
use crate::workers::Workers;
use crate::{Problem, SolverError};
use robust_svm_core::penalty::PenaltyMatrix;

/// Steps shorter than this end the solve.
const SHORTEST_STEP: f64 = 1e-8;
/// The relative residual to which the predictor, which only says where to go, is found.
const ROUGH: f64 = 1e-8;

/// Gondzio's correctors an iteration at most; steps longer than this need none; by how much they aim to lengthen a step,
/// and the share of it that must come about [J. Gondzio, Comput. Optim. Appl. 6 (1996)].
const CENTRALITY_CORRECTIONS: usize = 2;
const LONG_STEP: f64 = 0.9;
const AIM: f64 = 0.3;
const WORTHWHILE: f64 = 0.1;

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
    let dense = matches!(problem.penalty().matrix, PenaltyMatrix::Dense(_));
    if is_wide(problem) || dense {
        return solve(problem, settings);
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
    let data = ConicData::new(problem, Workers::parallel(settings.parallel));
    let start = match previous {
        Some(previous) => Variables::near(&data, problem, previous),
        None => Variables::start(&data, problem.y()),
    };
    let mut best = Best::new(problem, &data);
    let (iterations, status) = iterate((problem, &data), start, settings, &mut best);
    best.into_solution(problem, iterations, status)
        .judged(settings.tolerance)
}

/// Iterates from `v` until a status is reached; the number of iterations made, and the status.
fn iterate(
    (problem, data): (&Problem<'_>, &ConicData<'_>),
    mut v: Variables,
    settings: &InteriorPointSettings,
    best: &mut Best,
) -> (usize, Status) {
    let mut predictor = Variables::zeros(data);
    let mut d = Variables::zeros(data);
    let mut correction = Correction::zeros(data);
    let mut products = Products::zeros(data);
    let mut newton = Newton::new(data);
    let mut progress = Progress::new();

    loop {
        products.update(data, &v);
        best.update(problem, data, &v, &products);
        if let Some(status) = progress.end(best.gap(progress.iteration), settings) {
            return (progress.iteration, status);
        }
        if newton.factorise(data, &v, &products).is_err() {
            return (progress.iteration, Status::NumericalError);
        }
        correction.clear();
        newton.direction(data, &v, (&correction, ROUGH), &mut predictor);
        // The further the predictor gets, the less the corrector is drawn to the centre.
        let reach = longest_feasible_step(&v, &predictor, 1.0);
        let σ = (1.0 - reach).powi(3);
        let weight = progress.corrector_weight(reach);
        let centre = σ * v.complementarity();
        correction.set(&predictor, newton.scaling(), weight, centre);
        newton.direction(data, &v, (&correction, SMALL_RESIDUAL), &mut d);
        if d.x.iter().any(|x| !x.is_finite()) {
            return (progress.iteration, Status::NumericalError);
        }
        let longest = |d: &Variables| progress.step(longest_feasible_step(&v, d, f64::INFINITY));
        let mut step = longest(&d);
        for _ in 0..CENTRALITY_CORRECTIONS {
            // Overflow and rounding can leave no centre to aim at.
            if step > LONG_STEP || centre.is_nan() || centre <= 0.0 {
                break;
            }
            correction.centre(&v, &d, (step + AIM).min(1.0), centre);
            newton.direction(data, &v, (&correction, SMALL_RESIDUAL), &mut predictor);
            let corrected = longest(&predictor);
            // A direction that is not finite has no step.
            if !(corrected >= step + WORTHWHILE * AIM && predictor.x.iter().all(|x| x.is_finite()))
            {
                break;
            }
            step = corrected;
            std::mem::swap(&mut d, &mut predictor);
        }
        if !advance_inside(&mut v, &d, step) {
            return (progress.iteration, Status::Stalled);
        }
        progress.stepped(step);
    }
}

/// Advances by `step`, or less where rounding would leave the cone; false if the step becomes too short.
fn advance_inside(v: &mut Variables, d: &Variables, mut step: f64) -> bool {
    while step >= SHORTEST_STEP {
        v.advance(step, d);
        if is_inside(&v.s_cone) && is_inside(&v.z_cone) {
            return true;
        }
        v.advance(-step, d);
        step *= 0.5;
    }
    false
}
