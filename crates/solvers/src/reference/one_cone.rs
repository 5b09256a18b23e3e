//! One second-order cone for all samples.

use super::ReferenceSolution;
use super::program::Program;
use crate::certificate::objective;
use crate::{Problem, SolverError};
use ndarray::{Array2, ArrayView2, CowArray, Ix2};
use robust_svm_core::penalty::PenaltyMatrix;

/// `min λ/2‖ζ‖² + ct + Σξ_i  s.t.  y_i(⟨ζ,φ_i⟩+b) + ξ_i − Γ_it ≥ 1, ξ ≥ 0, ‖Aζ‖₂ ≤ t` by Clarabel; every A, every rule
/// for the intercept, with or without a total budget c.
///
/// # Errors
/// [`SolverError::Backend`] if Clarabel refuses the program. A solve that does not end well is not an error: see
/// [`ReferenceSolution::status`].
pub fn solve_one_cone(problem: &Problem<'_>) -> Result<ReferenceSolution, SolverError> {
    let features = problem.samples().to_dense();
    let penalty = problem.penalty();
    let mut program = Program::new(features.dim(), problem.lambda(), problem.intercept());
    let t = program.add_bound(problem.budget());
    for (i, ((φ, &y), &radius)) in features
        .outer_iter()
        .zip(problem.y())
        .zip(&penalty.radii)
        .enumerate()
    {
        program.add_margin(i, φ, y, (t, radius));
    }
    program.add_cone(matrix(&penalty.matrix, features.ncols()).view(), t);
    let found = program.solve()?;
    let (zeta, intercept) = program.classifier(&found.x);
    Ok(ReferenceSolution {
        objective: objective(problem, zeta, intercept),
        zeta: zeta.to_owned(),
        intercept,
        reported_objective: found.obj_val,
        status: found.status,
        iterations: found.iterations as usize,
        seconds: found.solve_time,
    })
}

/// A written out.
fn matrix(matrix: &PenaltyMatrix, dim: usize) -> CowArray<'_, f64, Ix2> {
    match matrix {
        PenaltyMatrix::Orthogonal => CowArray::from(Array2::eye(dim)),
        PenaltyMatrix::Diagonal(a) => CowArray::from(Array2::from_diag(a)),
        PenaltyMatrix::Dense(a) => CowArray::<f64, Ix2>::from(ArrayView2::from(a)),
        PenaltyMatrix::Rotations { .. } => unreachable!("refused by the problem"),
    }
}
