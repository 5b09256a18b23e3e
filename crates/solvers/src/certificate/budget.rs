//! Robustness against perturbations that share one budget [H. Xu, C. Caramanis, S. Mannor, JMLR 10 (2009), Theorem 3].

use crate::Problem;
use ndarray::ArrayView1;

/// The largest sum of hinge losses that perturbations of a total size of at most c can cause, for a linear model:
///
/// ```text
/// max { Σ_i max{0, 1 − y_i(⟨ζ, φ_i + δ_i⟩ + b)} : Σ_i ‖A^{−⊤}δ_i‖₂ ≤ c },   c the problem's budget.
/// ```
///
/// With m_i the margins `y_i(⟨ζ, φ_i⟩ + b)` it is `Σ max{0, 1 − m_i} + c‖Aζ‖₂` where some m_i ≤ 1, and
/// `max{0, 1 − min m_i + c‖Aζ‖₂}` elsewhere (derived): the sum is convex in how the budget is shared, so all of it goes to one
/// sample, and a loss that is already positive grows with every part of it. So on training data that some margin
/// fails, as it always does where the classes cannot be separated, the problem with the budget minimises the worst case.
/// The radii Γ_i have no part in it.
///
/// # Panics
/// If `zeta` is not D long.
pub fn worst_budget_loss(problem: &Problem<'_>, zeta: ArrayView1<'_, f64>, intercept: f64) -> f64 {
    let margins = (problem.samples().scores(zeta) + intercept) * problem.y();
    let reach = problem.budget() * problem.penalty_norm(zeta);
    let least = margins.iter().copied().fold(f64::INFINITY, f64::min);
    if least <= 1.0 {
        reach + margins.iter().map(|m| (1.0 - m).max(0.0)).sum::<f64>()
    } else {
        (1.0 - least + reach).max(0.0)
    }
}
