//! A cone for each sample.

use super::ReferenceSolution;
use super::program::{Program, entries};
use crate::certificate::sublinear_objective;
use crate::{NormForm, SolverError, SublinearProblem};
use robust_svm_core::uncertainty::Norm;

/// `min λ/2‖ζ‖² + Σξ_i  s.t.  y_i(⟨ζ,φ_i⟩+b) + ξ_i − t_i ≥ 1, ξ ≥ 0, ‖M_iζ‖_q ≤ t_i` by Clarabel [Couellan & Jan (4), (5)],
/// for penalties that are norms.
///
/// q = ∞ gives `±(M_iζ)_j ≤ t_i`; q = 1 gives `±(M_iζ)_j ≤ u_ij` and `Σ_ju_ij ≤ t_i`.
///
/// # Errors
/// [`SolverError::NoNorm`] if a penalty has no [`SublinearPenalty::norm_form`](crate::SublinearPenalty::norm_form);
/// [`SolverError::Backend`] if Clarabel refuses the program. A solve that does not end well is not an error: see
/// [`ReferenceSolution::status`].
pub fn solve_many_cones(problem: &SublinearProblem<'_>) -> Result<ReferenceSolution, SolverError> {
    let features = problem.features();
    let mut program = Program::new(features.dim(), problem.lambda(), problem.intercept());
    for (i, (φ, &y)) in features.outer_iter().zip(problem.y()).enumerate() {
        let norm = problem.penalty().norm_form(i, features.ncols());
        let norm = norm.ok_or(SolverError::NoNorm { row: i })?;
        let t = program.add_bound(0.0);
        program.add_margin(i, φ, y, (t, 1.0));
        add_norm(&mut program, &norm, t);
    }
    let found = program.solve()?;
    let (zeta, intercept) = program.classifier(&found.x);
    Ok(ReferenceSolution {
        objective: sublinear_objective(problem, zeta, intercept),
        zeta: zeta.to_owned(),
        intercept,
        reported_objective: found.obj_val,
        status: found.status,
        iterations: found.iterations as usize,
        seconds: found.solve_time,
    })
}

/// `‖Mζ‖_q ≤ t`.
fn add_norm(program: &mut Program, NormForm { matrix, norm }: &NormForm, t: usize) {
    match norm {
        Norm::Two => program.add_cone(matrix.view(), t),
        Norm::Infinity => {
            for row in matrix.outer_iter() {
                add_absolute(program, row, t);
            }
        }
        Norm::One => {
            let mut sum = vec![(t, 1.0)];
            for row in matrix.outer_iter() {
                let u = program.add_bound(0.0);
                add_absolute(program, row, u);
                sum.push((u, -1.0));
            }
            program.add_linear(sum);
        }
    }
}

/// `±⟨row, ζ⟩ ≤ u`.
fn add_absolute(program: &mut Program, row: ndarray::ArrayView1<'_, f64>, u: usize) {
    for sign in [1.0, -1.0] {
        let mut line = entries(row, sign);
        line.push((u, 1.0));
        program.add_linear(line);
    }
}
