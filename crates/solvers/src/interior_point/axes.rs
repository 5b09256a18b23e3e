//! Problems with a dense A, solved in its principal axes: with `AᵀA = V diag(s)² Vᵀ`, `ζ = Vζ′` and
//! `φ = Vφ′` leave every score and ‖ζ‖ as they are, and `‖Aζ‖ = ‖diag(s) ζ′‖`.

use super::settings::InteriorPointSettings;
use super::solution::Solution;
use super::solve::solve;
use crate::certificate::{dual_value, objective, optimal_intercept};
use crate::trace::note;
use crate::{Problem, RelativeGap, SolverError};
use ndarray::{Array1, Array2, ArrayView2};
use robust_svm_core::linalg::{matmul, matmul_transposed, symmetric_eigen};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};

/// The principal axes of a dense A.
pub(crate) struct PrincipalAxes {
    /// s (D), ≥ 0.
    pub(crate) lengths: Array1<f64>,
    /// V, the axes as columns (D × D).
    pub(crate) axes: Array2<f64>,
}

impl PrincipalAxes {
    /// Those of `a` (k × D).
    ///
    /// # Errors
    /// [`SolverError::Backend`] if the eigenvalue decomposition of `AᵀA` fails.
    pub(crate) fn of(a: ArrayView2<'_, f64>) -> Result<Self, SolverError> {
        let gram = matmul_transposed(a.t(), a.t());
        let (values, axes) = symmetric_eigen(gram.view())
            .map_err(|error| SolverError::Backend(error.to_string()))?;
        Ok(Self {
            lengths: values.mapv(|value| value.max(0.0).sqrt()),
            axes,
        })
    }
}

/// Solves `problem`, whose A is `a`, in the axes of `a`. What is certified is the problem as given: the
/// intercept, both values and the gap are computed from it.
///
/// # Errors
/// As [`solve`] and [`PrincipalAxes::of`].
pub(super) fn solve_in_axes(
    problem: &Problem<'_>,
    a: ArrayView2<'_, f64>,
    settings: &InteriorPointSettings,
) -> Result<Solution, SolverError> {
    let PrincipalAxes { lengths, axes } = PrincipalAxes::of(a)?;
    let features = matmul(problem.samples().to_dense().view(), axes.view());
    let penalty = FeaturePenalty {
        radii: problem.penalty().radii.clone(),
        matrix: PenaltyMatrix::Diagonal(lengths),
    };
    let turned = Problem::new(
        features.view(),
        problem.y().reborrow(),
        &penalty,
        problem.lambda(),
    )?
    .with_intercept(problem.intercept())
    .with_budget(problem.budget())?;
    let mut solution = solve(&turned, settings)?;
    let zeta = axes.dot(&solution.zeta);
    let intercept = optimal_intercept(problem, zeta.view());
    let intercept = problem.intercept().of_constant(zeta.view(), intercept);
    let objective = objective(problem, zeta.view(), intercept);
    let dual_objective = dual_value(problem, solution.alpha.view()).value;
    let values = (objective, dual_objective);
    note(&mut solution.trace, solution.iterations, values);
    let solution = Solution {
        zeta,
        intercept,
        objective,
        dual_objective,
        relative_gap: RelativeGap::new(objective, dual_objective),
        ..solution
    };
    Ok(solution.judged(settings.tolerance))
}
