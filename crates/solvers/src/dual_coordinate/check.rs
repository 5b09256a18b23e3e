//! Which problems coordinate descent takes.

use crate::{Intercept, Problem, SolverError};
use robust_svm_core::penalty::PenaltyMatrix;

/// That no constraint couples the multipliers and that the dual is a closed form of `‖v‖` and `Σα_i`.
pub(super) fn check_problem(problem: &Problem<'_>) -> Result<(), SolverError> {
    if problem.intercept() == Intercept::Free {
        return Err(SolverError::FreeIntercept);
    }
    let radii = &problem.penalty().radii;
    let uniform = radii.iter().all(|radius| *radius == radii[0]);
    let orthogonal = problem.penalty().matrix == PenaltyMatrix::Orthogonal;
    if problem.is_nominal() || (uniform && orthogonal) {
        Ok(())
    } else {
        Err(SolverError::PenaltyNotUniform)
    }
}
