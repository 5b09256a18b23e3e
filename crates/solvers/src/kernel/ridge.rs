//! The kernel ridge classifier.
//!
//! ```text
//! min ½ Σ(f(x_i) − y_i)² + λ/2 ‖f‖²,   f = Σα_ik(x_i, ·) without intercept,   α = (K + λI)⁻¹y
//! ```
//!
//! by Cholesky: the labels ±1 are fitted as numbers, and the sign of f is the class.
//!
//! **Leaving one out** (derived). Let `G = (K + λI)⁻¹` and f⁻ⁱ be the fit without sample i. With `f⁻ⁱ(x_i)` in the
//! place of y_i the fit to all samples is f⁻ⁱ, as sample i adds no loss to it, and its α_i is 0; α is linear in y, so
//! `0 = α_i − G_ii(y_i − f⁻ⁱ(x_i))`. As `y_i − f_i = λα_i` and `1 − H_ii = λG_ii` for the matrix `H = KG` that maps y to f,
//!
//! ```text
//! y_i − f⁻ⁱ(x_i) = α_i/G_ii = (y_i − f_i)/(1 − H_ii),   f⁻ⁱ(x_i) = −Σ_{j≠i} G_ijy_j/G_ii,
//! ```
//!
//! the last, which is α = Gy put in, without cancellation where f⁻ⁱ is small.
//!
//! **The gap** (derived). `½r² ≥ βr − ½β²` with `r = y_i − f(x_i)`, and the minimum over f of the rest, give
//! `D(β) = Σβ_iy_i − ½‖β‖² − (1/2λ)βᵀKβ ≤ P` for every β; at `β = λα` both are `½λ yᵀα`.

use super::input::check_input;
use crate::{RelativeGap, SolverError};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, s};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::linalg::positive_definite_solve;
use robust_svm_core::model::KernelModel;

/// A kernel ridge classifier with its certificate.
#[derive(Debug, Clone)]
pub struct RidgeSolution {
    /// The classifier, with intercept 0.
    pub model: KernelModel,
    /// The coefficients α (L) of the training points.
    pub alpha: Array1<f64>,
    /// `f⁻ⁱ(x_i)` (L), f⁻ⁱ the fit without sample i; the residual left out is `y_i` minus that.
    pub leave_one_out: Array1<f64>,
    /// The share of samples that the fit without them has in the wrong class: `y_if⁻ⁱ(x_i) ≤ 0`.
    pub leave_one_out_error: f64,
    /// `P = ½ Σ(f(x_i) − y_i)² + λ/2 ‖f‖²`.
    pub objective: f64,
    /// `D(λα)`, a lower bound on the optimal value.
    pub dual_objective: f64,
    /// `(P − D)/P`.
    pub relative_gap: RelativeGap,
}

/// Trains a kernel ridge classifier on rows `x` (L × n) with labels `y` (L) in {−1, +1}, λ > 0.
///
/// Takes O(L³) time and O(L²) memory.
///
/// # Errors
/// [`SolverError`] for λ ≤ 0, shapes that disagree, values that are not finite, labels that are not ±1, one class only, a
/// σ so extreme that 2σ² leaves the range of numbers; [`SolverError::NotPositiveDefinite`] if λ is so small that
/// K + λI is singular to rounding.
pub fn fit_kernel_ridge(
    kernel: GaussianKernel,
    x: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    lambda: f64,
) -> Result<RidgeSolution, SolverError> {
    check_input(kernel, x, y, lambda)?;
    let samples = y.len();
    let gram = kernel.matrix(x, x);
    if let Some(((row, column), _)) = gram.indexed_iter().find(|(_, k)| !k.is_finite()) {
        return Err(SolverError::NotFinite {
            what: "kernel matrix",
            row,
            column,
        });
    }
    let mut ridged = gram.clone();
    ridged.diag_mut().mapv_inplace(|k| k + lambda);
    // α, and beside it G.
    let mut right = Array2::zeros((samples, samples + 1));
    right.column_mut(0).assign(&y);
    right.slice_mut(s![.., 1..]).diag_mut().fill(1.0);
    let solved = positive_definite_solve(ridged, right)
        .map_err(|_| SolverError::NotPositiveDefinite { lambda })?;
    let alpha = solved.column(0).to_owned();
    let leave_one_out = left_out(solved.slice(s![.., 1..]), y);
    let scores = leave_one_out.iter().zip(y);
    let wrong = scores.filter(|(f, y)| *y * *f <= 0.0);
    let leave_one_out_error = wrong.count() as f64 / samples as f64;

    let scores = gram.dot(&alpha);
    let residuals = &y - &scores;
    let regularisation = 0.5 * lambda * alpha.dot(&scores);
    let objective = 0.5 * residuals.dot(&residuals) + regularisation;
    let half_square = 0.5 * lambda * lambda * alpha.dot(&alpha);
    let dual_objective = lambda * alpha.dot(&y) - half_square - regularisation;
    Ok(RidgeSolution {
        model: KernelModel::new(kernel, x, alpha.view(), 0.0),
        alpha,
        leave_one_out,
        leave_one_out_error,
        objective,
        dual_objective,
        relative_gap: RelativeGap::new(objective, dual_objective),
    })
}

/// `f⁻ⁱ(x_i) = −Σ_{j≠i} G_ijy_j/G_ii` of each i.
fn left_out(g: ArrayView2<'_, f64>, y: ArrayView1<'_, f64>) -> Array1<f64> {
    let of_others = |i: usize| {
        let before = g.slice(s![i, ..i]).dot(&y.slice(s![..i]));
        let after = g.slice(s![i, i + 1..]).dot(&y.slice(s![i + 1..]));
        -(before + after) / g[(i, i)]
    };
    (0..y.len()).map(of_others).collect()
}
