//! Local bounds that need one cone only: linear models, whose `h_i = γ_i ‖Σ^{⊤/2}ζ‖₂` have one matrix, and penalties
//! that are 0.

use super::best::certified;
use super::solution::LocalSolution;
use crate::certificate::dual_value;
use crate::{InteriorPointSettings, LocalPenalty, Problem, SolverError, SublinearProblem, solve};
use ndarray::{Array2, Axis};
use robust_svm_core::features::Features;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::{Factor, UncertaintySet};

/// Solves `problem` by the one-cone method.
///
/// # Errors
/// As [`solve`].
pub(super) fn solve_with_one_cone(
    problem: &SublinearProblem<'_>,
    penalty: &LocalPenalty,
    set: &UncertaintySet,
    settings: &InteriorPointSettings,
) -> Result<LocalSolution, SolverError> {
    let one = match penalty.features() {
        Features::Identity(_) => FeaturePenalty {
            radii: penalty.radii().to_owned(),
            matrix: match set.factor() {
                Factor::Identity => PenaltyMatrix::Orthogonal,
                Factor::Diagonal(s) => PenaltyMatrix::Diagonal(s.clone()),
                Factor::Full(f) => PenaltyMatrix::Dense(f.t().to_owned()),
            },
        },
        Features::Rff(_) | Features::Nystrom(_) => FeaturePenalty::none(problem.y().len()),
    };
    let with_one = Problem::new(
        problem.features().reborrow(),
        problem.y().reborrow(),
        &one,
        problem.lambda(),
    )?
    .with_intercept(problem.intercept());
    let solution = solve(&with_one, settings)?;
    // Σα_iz_i = v − λζ of the dual's ζ, and the z_i = Γ_iAᵀu are in proportion to Γ_i.
    let dual = dual_value(&with_one, solution.alpha.view());
    let weighted = &solution.alpha * &problem.y();
    let total = problem.features().t().dot(&weighted) - dual.zeta * problem.lambda();
    let radius = solution.alpha.dot(&one.radii);
    let z = if radius == 0.0 {
        Array2::zeros(problem.features().dim())
    } else {
        let shares = (&one.radii / radius).insert_axis(Axis(1));
        shares * &total
    };
    Ok(certified(
        problem,
        (solution.zeta, solution.intercept),
        (solution.alpha, z),
        (solution.iterations, solution.status, solution.trace),
    ))
}
