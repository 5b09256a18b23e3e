//! The loop of the many-cone interior-point method.

use super::best::Best;
use super::data::ConicData;
use super::newton::{Correction, Newton};
use super::one_cone::solve_with_one_cone;
use super::solution::LocalSolution;
use super::variables::Variables;
use crate::interior_point::Progress;
use crate::{
    Intercept, InteriorPointSettings, LocalPenalty, SolverError, Status, SublinearProblem,
};
use ndarray::{ArrayView1, ArrayView2};
use robust_svm_core::uncertainty::Norm;

/// Steps shorter than this end the solve.
const SHORTEST_STEP: f64 = 1e-8;

/// Trains on the local bound: `min λ/2 ‖ζ‖² + Σ_i max{0, 1 − y_i(⟨ζ, φ_i⟩ + b) + h_i(ζ)}` for `features` Φ (L × D), the
/// values of the penalty's map at its samples, and labels `y` (L) in {−1, +1}, b as `intercept` says, to a certified relative
/// gap of `settings.tolerance`.
///
/// Each iterate is certified by [`crate::certificate`]; the best primal and the best dual point seen are returned,
/// whatever the [`Status`]. Deterministic, on the calling thread, O(L D² + D³) an iteration.
///
/// # Errors
/// [`SolverError::LocalSets`] for p ≠ 2 or a shape of each sample's own: [`solve_bundle`](crate::solve_bundle) takes them;
/// [`SolverError::Setting`] for settings out of range, and the errors of [`SublinearProblem::new`]. A solve that does not
/// reach the tolerance is not an error: see [`LocalSolution::status`] and [`LocalSolution::relative_gap`].
pub fn solve_local(
    features: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    penalty: &LocalPenalty,
    lambda: f64,
    intercept: Intercept,
    settings: &InteriorPointSettings,
) -> Result<LocalSolution, SolverError> {
    settings.check()?;
    let problem = SublinearProblem::new(features.view(), y.view(), penalty, lambda)?
        .with_intercept(intercept);
    let set = match penalty.sets().shared() {
        Some(set) if set.norm() == Norm::Two => set,
        _ => return Err(SolverError::LocalSets),
    };
    let solution = match ConicData::new(&problem, penalty, set) {
        None => solve_with_one_cone(&problem, penalty, set, settings)?,
        Some(mut data) => {
            let mut best = Best::new(&problem, &data);
            let (iterations, status) = iterate(&problem, &mut data, settings, &mut best)?;
            best.into_solution(&problem, penalty, &data, iterations, status)
        }
    };
    let status = solution
        .status
        .judged(solution.relative_gap, settings.tolerance);
    Ok(LocalSolution { status, ..solution })
}

/// Iterates until a status is reached; the number of iterations made, and the status.
fn iterate(
    problem: &SublinearProblem<'_>,
    data: &mut ConicData,
    settings: &InteriorPointSettings,
    best: &mut Best,
) -> Result<(usize, Status), SolverError> {
    let mut v = Variables::start(data)?;
    let mut predictor = Variables::zeros(data);
    let mut d = Variables::zeros(data);
    let mut correction = Correction::zeros(data);
    let mut newton = Newton::new(data);
    let mut progress = Progress::new();

    loop {
        best.update(problem, data, &v)?;
        if let Some(status) = progress.end(best.gap(progress.iteration), settings) {
            return Ok((progress.iteration, status));
        }
        if newton.factorise(data, &v).is_err() {
            return Ok((progress.iteration, Status::NumericalError));
        }
        correction.clear();
        newton.direction(data, &v, &correction, &mut predictor);
        // The further the predictor gets, the less the corrector is drawn to the centre.
        let reach = v.longest_step(data, &newton.scalings, &predictor, 1.0);
        let σ = (1.0 - reach).powi(3);
        let weight = progress.corrector_weight(reach);
        let centre = σ * v.complementarity(data);
        correction.set(&predictor, &mut newton.scalings, weight, centre);
        newton.direction(data, &v, &correction, &mut d);
        if d.x.iter().any(|x| !x.is_finite()) {
            return Ok((progress.iteration, Status::NumericalError));
        }
        let longest = v.longest_step(data, &newton.scalings, &d, f64::INFINITY);
        let step = progress.step(longest);
        if !advance_inside(&mut v, data, &d, step) {
            return Ok((progress.iteration, Status::Stalled));
        }
        progress.stepped(step);
    }
}

/// Advances by `step`, or less where rounding would leave a cone; false if the step becomes too short.
fn advance_inside(v: &mut Variables, data: &ConicData, d: &Variables, mut step: f64) -> bool {
    while step >= SHORTEST_STEP {
        v.advance(step, d);
        if v.is_inside(data) {
            return true;
        }
        v.advance(-step, d);
        step *= 0.5;
    }
    false
}
