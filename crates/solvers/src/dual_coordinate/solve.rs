//! The loop of dual coordinate descent.

use super::active::Active;
use super::best::Best;
use super::check::check_problem;
use super::dense::DenseRows;
use super::epoch::{VISIT, run_epoch};
use super::finish::finish;
use super::pace::Pace;
use super::rows::Rows;
use super::settings::DualCoordinateSettings;
use super::sparse::SparseRows;
use super::state::State;
use crate::{Problem, Samples, Solution, SolverError, Status};

/// Certificates may take this share of the work.
const CERTIFICATE_SHARE: f64 = 0.09;
/// No projected gradient is wider than this: D cannot rise by more than rounding.
const NO_WIDTH: f64 = 1e-12;
/// v is computed anew at most so many times to mend its rounding.
const REFRESHES: usize = 3;

/// Solves `problem` to a certified relative gap of `settings.tolerance`.
///
/// The best primal point seen and the last dual one, the best, are returned, whatever the [`Status`]. Deterministic, on the
/// calling thread: the same bits for the same stream. An epoch costs O(LD), or the stored values of sparse features; memory holds
/// a copy of sparse features, or of dense ones that are not stored row after row, and at the end of a solve by Newton's steps another of
/// the dense rows near the margin.
///
/// # Errors
/// [`SolverError::FreeIntercept`] where the intercept is free; [`SolverError::PenaltyNotUniform`] for radii that are not all equal, or
/// an A that is not orthogonal, where radii or budget are not 0; [`SolverError::Setting`] for settings out of range.
/// A solve that does not reach the tolerance is not an error: see [`Solution::status`] and [`Solution::relative_gap`].
pub fn solve_dual_coordinate(
    problem: &Problem<'_>,
    settings: &DualCoordinateSettings,
) -> Result<Solution, SolverError> {
    settings.check()?;
    check_problem(problem)?;
    match problem.samples() {
        Samples::Dense(phi) => {
            let phi = phi.as_standard_layout();
            let values = phi.as_slice().expect("in standard layout");
            let rows = DenseRows::new(values, phi.dim());
            Ok(iterate(problem, settings, &rows))
        }
        Samples::Sparse(phi) => Ok(iterate(problem, settings, &SparseRows::new(phi.view())?)),
        Samples::Streamed(_) => Err(SolverError::Setting {
            name: "features",
            expected: "in memory: the rows are visited one by one, in random order",
            found: "streamed".into(),
        }),
    }
}

/// Epochs and certificates in turn, until a status is reached.
fn iterate<R: Rows>(
    problem: &Problem<'_>,
    settings: &DualCoordinateSettings,
    rows: &R,
) -> Solution {
    let mut state = State::new(problem, rows);
    let mut active = Active::all(rows.len(), settings.rng.clone());
    let mut best = Best::new(rows);
    let certificate: usize = (0..rows.len()).map(|i| rows.entries(i) + VISIT).sum();
    let due = (certificate as f64 / CERTIFICATE_SHARE) as usize;
    let (mut epochs, mut refreshes) = (0, 0);
    let mut pace = Pace::new(rows);

    loop {
        let mut work = 0;
        while work < due && epochs < settings.max_epochs {
            let end = run_epoch(rows, &mut state, &mut active);
            work += end.work;
            epochs += 1;
            // The samples in play cost no more than the gap wanted: time for the others.
            if end.violation.sum <= settings.tolerance * state.dual_value() {
                break;
            }
        }
        let mut gap = best.certify(rows, &state, epochs);
        if pace.should_finish(rows, &best.margins, work, (gap, settings.tolerance)) {
            let most = settings.max_epochs - epochs;
            if let Some(end) = finish(rows, &mut state, (gap, settings.tolerance), most) {
                best.offer(epochs, &end);
                epochs += end.steps;
                gap = best.certify(rows, &state, epochs);
            }
        }
        let violation = best.choose(&state, &mut active);
        let status = if gap <= settings.tolerance {
            Status::Solved
        } else if epochs == settings.max_epochs {
            Status::IterationLimit
        } else if violation.width() <= NO_WIDTH {
            Status::Stalled
        } else {
            continue;
        };
        let solution = best.solution(problem, &state, epochs, status);
        let rounded =
            status != Status::IterationLimit && solution.relative_gap.value() > settings.tolerance;
        if !rounded {
            return solution;
        }
        if refreshes == REFRESHES {
            return Solution {
                status: Status::Stalled,
                ..solution
            };
        }
        state.refresh(rows);
        refreshes += 1;
    }
}
