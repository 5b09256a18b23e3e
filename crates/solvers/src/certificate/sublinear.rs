//! Primal and dual values of problems with any sublinear penalty `h_i`.
//!
//! ```text
//! D(α, z) = Σα_i − (1/2λ) ‖Σα_i(y_iφ_i − z_i)‖²,   0 ≤ α_i ≤ 1,   Σα_iy_i = 0,   z_i ∈ ∂h_i(0).
//! ```
//!
//! Weak duality, `D(α, z) ≤ P(ζ, b)` (derived): a hinge is at least α_i times its argument, and
//! `h_i(ζ) ≥ ⟨z_i, ζ⟩` because `h_i(0) = 0`; so `P ≥ Σα_i + λ/2‖ζ‖² − ⟨ζ, Σα_i(y_iφ_i − z_i)⟩ − bΣα_iy_i`, whose
//! last term is 0 and whose minimum over ζ is D, at `ζ = Σα_i(y_iφ_i − z_i)/λ`. A sub-gradient of a sublinear h
//! anywhere is one at 0, and so are convex combinations of several.

use super::{DualPoint, hinge_sum, intercept_of_margins};
use crate::{Intercept, SublinearProblem};
use ndarray::{Array1, ArrayView1, ArrayView2};

/// `P(ζ, b) = λ/2 ‖ζ‖² + Σ_i max{0, 1 − y_i(⟨ζ, φ_i⟩ + b) + h_i(ζ)}`.
///
/// # Panics
/// If `zeta` is not D long.
pub fn sublinear_objective(
    problem: &SublinearProblem<'_>,
    zeta: ArrayView1<'_, f64>,
    intercept: f64,
) -> f64 {
    let margins = worst_margins(problem, zeta);
    0.5 * problem.lambda() * zeta.dot(&zeta)
        + hinge_sum(margins.iter().copied(), problem.y(), intercept)
}

/// A minimiser of `P(ζ, ·)` for given ζ, exact; as [`optimal_intercept`](super::optimal_intercept).
///
/// # Panics
/// If `zeta` is not D long.
pub fn sublinear_optimal_intercept(
    problem: &SublinearProblem<'_>,
    zeta: ArrayView1<'_, f64>,
) -> f64 {
    let margins = worst_margins(problem, zeta);
    intercept_of_margins(
        margins.iter().copied(),
        problem.y(),
        (Intercept::Free, problem.lambda()),
        &mut vec![0.0; margins.len()],
    )
}

/// `D(α, z)` for feasible multipliers `alpha` (L; see [`make_feasible`](super::make_feasible)) and sub-gradients
/// `z` (L × D), `z_i` in `∂h_i(0)`.
///
/// That they are sub-gradients is the caller's word: a lower bound on the optimal value follows from it.
/// [`exceeds_penalty`] tests it at a given ζ.
///
/// # Panics
/// If the shapes disagree.
pub fn sublinear_dual_value(
    problem: &SublinearProblem<'_>,
    alpha: ArrayView1<'_, f64>,
    z: ArrayView2<'_, f64>,
) -> DualPoint {
    let mut zeta = problem.features().t().dot(&(&alpha * &problem.y()));
    zeta -= &z.t().dot(&alpha);
    let half_square = zeta.dot(&zeta) / (2.0 * problem.lambda());
    zeta /= problem.lambda();
    DualPoint {
        value: alpha.sum() - half_square,
        zeta,
    }
}

/// Whether some `⟨z_i, ζ⟩` is above `h_i(ζ)`, beyond rounding: then `z_i` is no sub-gradient.
///
/// # Panics
/// If the shapes disagree.
pub fn exceeds_penalty(
    problem: &SublinearProblem<'_>,
    z: ArrayView2<'_, f64>,
    zeta: ArrayView1<'_, f64>,
) -> bool {
    let length = zeta.dot(&zeta).sqrt();
    z.outer_iter()
        .zip(&problem.penalty_values(zeta))
        .any(|(z, h)| z.dot(&zeta) > h + ROUNDING * (h + z.dot(&z).sqrt() * length))
}

/// A share of `‖z‖‖ζ‖` that is rounding.
const ROUNDING: f64 = 1e-9;

/// `y_i⟨ζ, φ_i⟩ − h_i(ζ)`: the worst-case margins without the intercept.
fn worst_margins(problem: &SublinearProblem<'_>, zeta: ArrayView1<'_, f64>) -> Array1<f64> {
    problem.features().dot(&zeta) * problem.y() - problem.penalty_values(zeta)
}
