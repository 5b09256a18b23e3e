//! The loop of the interior-point method.

use super::best::Best;
use super::cone::Scaling;
use super::data::ConicData;
use super::kkt::Kkt;
use super::settings::InteriorPointSettings;
use super::solution::{Solution, Status};
use super::step::{Correction, Workspace, cone_is_inside, longest_feasible_step, newton_direction};
use super::variables::{Residuals, Variables};
use crate::{Problem, SolverError};

/// The share of the way to the boundary that a step goes.
const STEP_SHARE: f64 = 0.995;
/// Steps shorter than this end the solve.
const SHORTEST_STEP: f64 = 1e-8;
/// So many iterations without a better certified gap or less complementarity end the solve.
const PATIENCE: usize = 15;

/// Solves `problem` to a certified relative gap of `settings.tolerance`.
///
/// Each iterate is certified by [`crate::certificate`]; the best primal and the best dual point seen are
/// returned, whatever the [`Status`]. Deterministic, on the calling thread, O(L D² + D³) an iteration
/// and two copies of Φ in memory.
///
/// # Errors
/// [`SolverError::Setting`] for settings out of range. A solve that does not reach the tolerance is not
/// an error: see [`Solution::status`] and [`Solution::relative_gap`].
pub fn solve(
    problem: &Problem<'_>,
    settings: &InteriorPointSettings,
) -> Result<Solution, SolverError> {
    settings.check()?;
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
    let mut v = Variables::start(data);
    let mut predictor = Variables::zeros(data);
    let mut d = Variables::zeros(data);
    let mut residuals = Residuals::zeros(data);
    let mut scaling = Scaling::zeros(data.cone_dim());
    let mut correction = Correction::zeros(data);
    let mut kkt = Kkt::new(data);
    let mut work = Workspace::new(data);
    let (mut last_gap, mut last_μ, mut last_progress) = (f64::INFINITY, f64::INFINITY, 0);

    for iteration in 0.. {
        best.update(problem, data, &v);
        let gap = best.gap();
        if gap <= settings.tolerance {
            return (iteration, Status::Solved);
        }
        let μ = v.complementarity();
        if gap < last_gap || μ < 0.9 * last_μ {
            (last_gap, last_μ, last_progress) = (gap.min(last_gap), μ.min(last_μ), iteration);
        }
        if iteration - last_progress >= PATIENCE {
            return (iteration, Status::Stalled);
        }
        if iteration == settings.max_iterations {
            return (iteration, Status::IterationLimit);
        }

        residuals.update(data, &v);
        scaling.update(&v.s_cone, &v.z_cone);
        if kkt.factorise(data, &v, &scaling).is_err() {
            return (iteration, Status::NumericalError);
        }
        correction.clear();
        newton_direction(
            data,
            &v,
            &residuals,
            &scaling,
            &correction,
            &mut kkt,
            &mut work,
            &mut predictor,
        );
        let reach = longest_feasible_step(&v, &predictor, 1.0);
        let σ = (1.0 - reach).powi(3);
        correction.set(&predictor, &scaling, σ * μ);
        newton_direction(
            data,
            &v,
            &residuals,
            &scaling,
            &correction,
            &mut kkt,
            &mut work,
            &mut d,
        );
        if d.x.iter().any(|x| !x.is_finite()) {
            return (iteration, Status::NumericalError);
        }
        let step = (STEP_SHARE * longest_feasible_step(&v, &d, f64::INFINITY)).min(1.0);
        if std::env::var("IPM_TRACE").is_ok() {
            eprintln!(
                "{iteration:3} gap {gap:.2e} mu {μ:.2e} sigma {σ:.2e} step {step:.4} rs {:.1e} rm {:.1e}",
                residuals
                    .stationarity
                    .iter()
                    .fold(0.0_f64, |m, x| m.max(x.abs())),
                residuals.margin.iter().fold(0.0_f64, |m, x| m.max(x.abs()))
            );
        }
        if !advance_inside(&mut v, &d, step) {
            return (iteration, Status::Stalled);
        }
    }
    unreachable!("the loop returns at the iteration limit")
}

/// Advances by `step`, or less where rounding would leave the cone; false if the step becomes too short.
fn advance_inside(v: &mut Variables, d: &Variables, mut step: f64) -> bool {
    while step >= SHORTEST_STEP {
        v.advance(step, d);
        if cone_is_inside(v) {
            return true;
        }
        v.advance(-step, d);
        step *= 0.5;
    }
    false
}
