//! The path equivalence: uniform norm-ball robustness is another point of the nominal regularisation
//! path (derived here; compare Xu, Caramanis & Mannor, JMLR 10, 2009).
//!
//! If `Γ_i ≡ Γ` and A is orthogonal, then with `s = 1 + Γ‖ζ‖`, `ζ = s ζ′` and `b = s b′` every robust loss
//! is `s · max{0, 1 − y_i f′(x_i)}`. So for ζ ≠ 0 the robust classifier is, up to the positive factor s, the
//! nominal SVM with `λ′ = (1 + Γ‖ζ‖)(λ + ΓΣα_i/‖ζ‖)`, with the same multipliers α. A penalised intercept has none: `λ′b′²/2`
//! would need another λ′.

use crate::certificate::{dual_value, objective};
use crate::{Intercept, Problem, RelativeGap, Solution};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};

/// The nominal SVM that has the same classifier as a robust one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NominalEquivalent {
    /// λ′.
    pub lambda: f64,
    /// The certified relative gap of `(ζ, b)/s` in the nominal problem with λ′: its primal value against
    /// the dual value of the robust multipliers. Near 0 where the equivalence holds.
    pub relative_gap: RelativeGap,
}

/// The nominal equivalent of the robust `solution` of `problem`; `None` where there is none: Γ_i not all
/// equal or all 0, A not orthogonal, a total budget, a penalised intercept, or ζ = 0.
///
/// # Panics
/// If `solution` is not one of `problem`: its lengths differ.
pub fn nominal_equivalent(problem: &Problem<'_>, solution: &Solution) -> Option<NominalEquivalent> {
    let penalty = problem.penalty();
    let Γ = *penalty.radii.first()?;
    let uniform = penalty.radii.iter().all(|radius| *radius == Γ);
    let norm = solution.zeta.dot(&solution.zeta).sqrt();
    if problem.budget() > 0.0 || problem.intercept() == Intercept::Penalised {
        return None;
    }
    if !uniform || Γ == 0.0 || penalty.matrix != PenaltyMatrix::Orthogonal || norm == 0.0 {
        return None;
    }
    let s = 1.0 + Γ * norm;
    let lambda = s * (problem.lambda() + Γ * solution.alpha.sum() / norm);
    let none = FeaturePenalty::none(problem.y().len());
    let nominal = Problem::new(
        problem.samples().reborrow(),
        problem.y().reborrow(),
        &none,
        lambda,
    )
    .ok()?
    .with_intercept(problem.intercept());
    let zeta = &solution.zeta / s;
    let primal = objective(&nominal, zeta.view(), solution.intercept / s);
    let dual = dual_value(&nominal, solution.alpha.view());
    Some(NominalEquivalent {
        lambda,
        relative_gap: RelativeGap::new(primal, dual.value),
    })
}
