//! The loop of the interior-point method.

use super::axes::solve_in_axes;
use super::best::Best;
use super::cone::is_inside;
use super::data::ConicData;
use super::newton::{Correction, Newton};
use super::progress::Progress;
use super::settings::InteriorPointSettings;
use super::solution::{Solution, Status};
use super::step::longest_feasible_step;
use super::variables::Variables;
use crate::{Problem, SolverError};
use robust_svm_core::penalty::PenaltyMatrix;

/// Steps shorter than this end the solve.
const SHORTEST_STEP: f64 = 1e-8;

/// Solves `problem` to a certified relative gap of `settings.tolerance`.
///
/// Each iterate is certified by [`crate::certificate`]; the best primal and the best dual point seen are
/// returned, whatever the [`Status`]. Deterministic, on the calling thread, O(L D² + D³) an iteration
/// and two copies of Φ in memory.
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
    if let PenaltyMatrix::Dense(a) = &problem.penalty().matrix {
        return solve_in_axes(problem, a.view(), settings);
    }
    let data = ConicData::new(problem);
    let mut best = Best::new(problem, &data);
    let (iterations, status) = iterate(problem, &data, settings, &mut best);
    Ok(best.into_solution(problem, iterations, status))
}

/// Iterates until a status is reached; the number of iterations made, and the status.
fn iterate(
    problem: &Problem<'_>,
    data: &ConicData,
    settings: &InteriorPointSettings,
    best: &mut Best,
) -> (usize, Status) {
    let mut v = Variables::start(data, problem.y());
    let mut predictor = Variables::zeros(data);
    let mut d = Variables::zeros(data);
    let mut correction = Correction::zeros(data);
    let mut newton = Newton::new(data);
    let mut progress = Progress::new();

    loop {
        best.update(problem, data, &v);
        if let Some(status) = progress.end(best.gap(), settings) {
            return (progress.iteration, status);
        }
        if newton.factorise(data, &v).is_err() {
            return (progress.iteration, Status::NumericalError);
        }
        correction.clear();
        newton.direction(data, &v, &correction, &mut predictor);
        // The further the predictor gets, the less the corrector is drawn to the centre.
        let reach = longest_feasible_step(&v, &predictor, 1.0);
        let σ = (1.0 - reach).powi(3);
        let weight = progress.corrector_weight(reach);
        let centre = σ * v.complementarity();
        correction.set(&predictor, newton.scaling(), weight, centre);
        newton.direction(data, &v, &correction, &mut d);
        if d.x.iter().any(|x| !x.is_finite()) {
            return (progress.iteration, Status::NumericalError);
        }
        let step = progress.step(longest_feasible_step(&v, &d, f64::INFINITY));
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
