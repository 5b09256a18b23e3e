//! The kernel SVM in the primal, by the representer theorem.
//!
//! A minimiser of `λ/2 ‖f‖² + Σ max{0, 1 − y_i(f(x_i) + b)}` over the kernel's Hilbert space is `f = Σβ_ik(x_i, ·)`
//! [B. Schölkopf, R. Herbrich, A. Smola, COLT 2001; O. Chapelle, Neural Computation 19 (2007) trains SVMs so], so
//!
//! ```text
//! min_{β,b}  λ/2 βᵀKβ + Σ max{0, 1 − y_i((Kβ)_i + b)}.
//! ```
//!
//! With `K = VΛVᵀ`, `Φ = VΛ^{1/2}` and `ζ = Λ^{1/2}Vᵀβ` it is the linear SVM on the rows of Φ (derived: `βᵀKβ = ‖ζ‖²` and
//! `Kβ = Φζ`), which the interior-point method solves; `β = VΛ^{−1/2}ζ`. Eigenvalues that are rounding errors beside the
//! largest are left out, so Φ may have fewer columns than rows.
//!
//! The certificate knows nothing of Φ: both values are computed with K itself.

use super::input::check_input;
use super::svm::KernelSolution;
use crate::certificate::{hinge_sum, intercept_of_margins, make_feasible};
use crate::multiclass::check_gram;
use crate::{Intercept, InteriorPointSettings, Problem, RelativeGap, SolverError, solve};
use ndarray::{Array2, ArrayView1, ArrayView2, s};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::linalg::symmetric_eigen;
use robust_svm_core::model::KernelModel;
use robust_svm_core::penalty::FeaturePenalty;

/// Eigenvalues of K up to this share of the largest are left out.
const SMALLEST: f64 = 1e-13;

/// Trains the exact-kernel SVM of [`crate::fit_kernel_svm`] in the primal, on rows `x` (L × n) with labels `y` (L) in {−1, +1}. The
/// multipliers are those of the interior-point method.
///
/// Takes O(L³) time and O(L²) memory. The certified gap is reported whatever it is.
///
/// # Errors
/// As [`crate::fit_kernel_svm`]; [`SolverError::Setting`] for settings out of range, [`SolverError::NotFinite`] for inputs so large that
/// their squares overflow.
pub fn fit_kernel_svm_primal(
    kernel: GaussianKernel,
    x: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    lambda: f64,
    settings: &InteriorPointSettings,
) -> Result<KernelSolution, SolverError> {
    check_input(kernel, x, y, lambda)?;
    let gram = kernel.matrix(x, x);
    check_gram(gram.view())?;
    let (phi, back) = features(gram.view())?;
    let penalty = FeaturePenalty::none(y.len());
    let problem = Problem::new(phi.view(), y.view(), &penalty, lambda)?;
    let solution = solve(&problem, settings)?;

    let beta = back.dot(&solution.zeta);
    let scores = gram.dot(&beta);
    let regularisation = 0.5 * lambda * beta.dot(&scores);
    let margins = || scores.iter().zip(y).map(|(f, y)| y * f);
    let rule = (Intercept::Free, lambda);
    let intercept = intercept_of_margins(margins(), y, rule, &mut vec![0.0; y.len()]);
    let objective = regularisation + hinge_sum(margins(), y, intercept);

    let mut alpha = solution.alpha;
    make_feasible(&mut alpha, y, Intercept::Free);
    let weighted = &alpha * &y;
    let half_square = 0.5 / lambda * weighted.dot(&gram.dot(&weighted));
    let dual_objective = alpha.sum() - half_square;
    Ok(KernelSolution {
        model: KernelModel::new(kernel, x, beta.view(), intercept),
        alpha,
        objective,
        dual_objective,
        relative_gap: RelativeGap::new(objective, dual_objective),
        iterations: Some(solution.iterations),
    })
}

/// `VΛ^{1/2}` and `VΛ^{−1/2}` (both L × r) of the eigenvalues that count.
fn features(gram: ArrayView2<'_, f64>) -> Result<(Array2<f64>, Array2<f64>), SolverError> {
    let (values, vectors) = symmetric_eigen(gram)?;
    let largest = values.last().copied().unwrap_or(0.0);
    let first = values.iter().take_while(|v| **v <= SMALLEST * largest);
    let first = first.count();
    let roots = values.slice(s![first..]).mapv(f64::sqrt);
    let vectors = vectors.slice(s![.., first..]);
    Ok((&vectors * &roots, &vectors / &roots))
}
