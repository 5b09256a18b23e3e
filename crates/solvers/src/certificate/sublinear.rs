//! Primal and dual values of problems with any sublinear penalty `h_i`.
//!
//! ```text
//! D(α, Z) = Σα_i − (1/2λ) ‖Σα_iy_iφ_i − Z‖²,   0 ≤ α_i ≤ 1,   Σα_iy_i = 0,   Z = Σα_iz_i,   z_i ∈ ∂h_i(0).
//! ```
//!
//! Weak duality, `D(α, Z) ≤ P(ζ, b)` (derived): a hinge is at least α_i times its argument, and
//! `h_i(ζ) ≥ ⟨z_i, ζ⟩` because `h_i(0) = 0`; so `P ≥ Σα_i + λ/2‖ζ‖² − ⟨ζ, Σα_iy_iφ_i − Z⟩ − bΣα_iy_i`, whose
//! minimum over ζ is D, at `ζ = (Σα_iy_iφ_i − Z)/λ`. The last term is 0 for a free b by the equality and without b by
//! b = 0, and neither asks for the other; a penalised b has `λ/2 b² − bΣα_iy_i ≥ −(Σα_iy_i)²/2λ` instead of the
//! equality. A sub-gradient of a sublinear h anywhere is one at 0, and so are convex combinations of several.

use super::{DualPoint, DualTerms, hinge_sum, intercept_of_margins};
use crate::SublinearProblem;
use ndarray::{Array1, ArrayView1, ArrayView2};

/// `P(ζ, b) = λ/2 ‖ζ‖² + Σ_i max{0, 1 − y_i(⟨ζ, φ_i⟩ + b) + h_i(ζ)}`, and `λ/2 b²` more where the intercept is
/// penalised.
///
/// # Panics
/// If `zeta` is not D long.
pub fn sublinear_objective(
    problem: &SublinearProblem<'_>,
    zeta: ArrayView1<'_, f64>,
    intercept: f64,
) -> f64 {
    let margins = worst_margins(problem, zeta);
    sublinear_regularisation(problem, zeta, intercept)
        + hinge_sum(margins.iter().copied(), problem.y(), intercept)
}

/// What P has beside the losses: `λ/2 ‖ζ‖²`, and `λ/2 b²` where b is penalised.
pub(crate) fn sublinear_regularisation(
    problem: &SublinearProblem<'_>,
    zeta: ArrayView1<'_, f64>,
    intercept: f64,
) -> f64 {
    let lambda = problem.lambda();
    0.5 * lambda * zeta.dot(&zeta) + problem.intercept().regularisation(lambda, intercept)
}

/// A minimiser of `P(ζ, ·)` for given ζ, exact; 0 in problems without an intercept; as [`optimal_intercept`](super::optimal_intercept).
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
        (problem.intercept(), problem.lambda()),
        &mut vec![0.0; margins.len()],
    )
}

/// `D(α, Σα_iz_i)` for feasible multipliers `alpha` (L; see [`make_feasible`](super::make_feasible)) and sub-gradients
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
    summed_dual_value(problem, alpha, z.t().dot(&alpha).view())
}

/// `D(α, Z)` for feasible multipliers `alpha` (L) and the sum `total` = `Σα_iz_i` (D) of sub-gradients, for methods
/// that keep no z_i: what weak duality needs is `⟨Z, ζ⟩ ≤ Σα_ih_i(ζ)` for every ζ, and it is the caller's word.
///
/// # Panics
/// If the shapes disagree.
pub fn summed_dual_value(
    problem: &SublinearProblem<'_>,
    alpha: ArrayView1<'_, f64>,
    total: ArrayView1<'_, f64>,
) -> DualPoint {
    let (terms, mut zeta) = summed_dual_terms(problem, alpha, total);
    zeta /= problem.lambda();
    DualPoint {
        value: terms.value(),
        zeta,
    }
}

/// The terms of `D(α, Z)`, and `Σα_iy_iφ_i − Z` (D).
pub(crate) fn summed_dual_terms(
    problem: &SublinearProblem<'_>,
    alpha: ArrayView1<'_, f64>,
    total: ArrayView1<'_, f64>,
) -> (DualTerms, Array1<f64>) {
    let weighted = &alpha * &problem.y();
    let mut v = problem.features().t().dot(&weighted);
    v -= &total;
    let lambda = problem.lambda();
    let of_intercept = problem
        .intercept()
        .dual_regularisation(lambda, weighted.sum());
    let terms = DualTerms {
        sum: alpha.sum(),
        half_square: v.dot(&v) / (2.0 * lambda) + of_intercept,
        homogeneous: true,
    };
    (terms, v)
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
