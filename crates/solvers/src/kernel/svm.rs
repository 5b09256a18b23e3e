//! The exact kernel SVM by sequential minimal optimisation: the C-SVC of the crate `linfa-svm`.
//!
//! The problem is `max Σα_i − (1/2λ) ΣΣ α_iα_jy_iy_jk_ij` over `0 ≤ α ≤ 1`, `Σα_iy_i = 0` [Couellan & Jan
//! (8) is its primal], with `f = (1/λ) Σ α_iy_ik(x_i, ·) + b`. linfa solves the same problem in α/λ, with
//! `C = 1/λ`, and its Gaussian kernel is `exp(−d²/ε)`, so ε = 2σ².
//!
//! C-SVC has a free intercept only: SMO moves pairs of multipliers along `Σα_iy_i = 0`, which is the dual of a free b. For
//! another rule ([`Intercept`]) take Nyström features on all points and [`crate::solve`].
//!
//! What is and is not used of linfa-svm 0.8.1 (`tests/linfa.rs` shows its defects):
//!
//! - C-SVC **without shrinking**: with `shrinking(true)` it panics on data that is not nearly separable, by a
//!   subtraction that overflows once a variable is shrunk away (with overflow checks; without them it wraps).
//! - not ν-SVC: it divides α and the intercept by the margin's scale, but not the hyperplane it has combined
//!   for a linear kernel, so those classifiers are wrong; on some data its intercept is NaN.
//! - only α: the objective it prints, its intercept and its stopping rule are not trusted. α is made
//!   feasible, the intercept is the exact minimiser of the primal, and both values are computed afresh.
//! - no unchecked input: it takes NaN, one class and no rows in silence and returns α = 0, so these are
//!   refused before it is called.

use super::input::{check_input, check_positive};
use crate::certificate::{hinge_sum, intercept_of_margins, make_feasible};
use crate::{Intercept, RelativeGap, SolverError};
use linfa::DatasetBase;
use linfa::traits::Fit;
use linfa_svm::Svm;
use ndarray::{Array1, ArrayView1, ArrayView2};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::KernelModel;

/// Settings of the kernel SVM.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KernelSettings {
    /// The violation of the optimality conditions, in units of the margin, at which the most violating
    /// pair ends the solve; positive and finite. Default 1e−7, which gives certified relative gaps below 1e−6 in
    /// ordinary cases.
    pub violation: f64,
}

impl Default for KernelSettings {
    fn default() -> Self {
        Self { violation: 1e-7 }
    }
}

/// An exact-kernel classifier with its certificate.
#[derive(Debug, Clone)]
pub struct KernelSolution {
    /// The classifier.
    pub model: KernelModel,
    /// The multipliers α (L), feasible for the dual: in [0, 1] with `Σα_iy_i = 0`.
    pub alpha: Array1<f64>,
    /// `P = λ/2 ‖f − b‖² + Σ max{0, 1 − y_if(x_i)}`.
    pub objective: f64,
    /// `D(α)`, a lower bound on the optimal value.
    pub dual_objective: f64,
    /// `(P − D)/P`.
    pub relative_gap: RelativeGap,
    /// Pairs optimised; `None` if linfa's summary, the only place that tells, cannot be read.
    pub iterations: Option<usize>,
}

/// Trains an exact-kernel SVM on rows `x` (L × n) with labels `y` (L) in {−1, +1}.
///
/// Takes O(L²) memory. The certified gap is reported whatever it is.
///
/// # Errors
/// [`SolverError`] for λ ≤ 0, shapes that disagree, values that are not finite, labels that are not ±1,
/// one class only, or a λ or σ so extreme that 1/λ or 2σ² leaves the range of numbers.
pub fn fit_kernel_svm(
    kernel: GaussianKernel,
    x: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    lambda: f64,
    settings: &KernelSettings,
) -> Result<KernelSolution, SolverError> {
    check(kernel, x, y, lambda, *settings)?;
    let (mut alpha, iterations) = linfa_multipliers(kernel, x, y, lambda, *settings)?;
    make_feasible(&mut alpha, y, Intercept::Free);

    let beta = &alpha * &y / lambda;
    let scores = kernel.matrix(x, x).dot(&beta);
    let regularisation = 0.5 * lambda * beta.dot(&scores);
    let margins = || scores.iter().zip(y).map(|(f, y)| y * f);
    let intercept = intercept_of_margins(
        margins(),
        y,
        (Intercept::Free, lambda),
        &mut vec![0.0; y.len()],
    );
    let objective = regularisation + hinge_sum(margins(), y, intercept);
    let dual_objective = alpha.sum() - regularisation;
    Ok(KernelSolution {
        model: KernelModel::new(kernel, x, beta.view(), intercept),
        alpha,
        objective,
        dual_objective,
        relative_gap: RelativeGap::new(objective, dual_objective),
        iterations,
    })
}

/// Refuses input for which linfa-svm returns no classifier worth the name.
fn check(
    kernel: GaussianKernel,
    x: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    lambda: f64,
    settings: KernelSettings,
) -> Result<(), SolverError> {
    check_input(kernel, x, y, lambda)?;
    let expected = "such that 1/lambda is finite";
    check_positive("lambda", expected, 1.0 / lambda, lambda)?;
    let violation = settings.violation;
    check_positive("violation", "positive and finite", violation, violation)
}

/// λ times linfa's multipliers, which should be in [0, 1], and the number of its iterations.
fn linfa_multipliers(
    kernel: GaussianKernel,
    x: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    lambda: f64,
    settings: KernelSettings,
) -> Result<(Array1<f64>, Option<usize>), SolverError> {
    let targets = y.mapv(|y| y > 0.0);
    let machine = Svm::<f64, bool>::params()
        .pos_neg_weights(1.0 / lambda, 1.0 / lambda)
        .gaussian_kernel(2.0 * kernel.sigma() * kernel.sigma())
        .eps(settings.violation)
        .shrinking(false)
        .fit(&DatasetBase::new(x, targets.view()))
        .map_err(|error| SolverError::Backend(format!("linfa-svm: {error}")))?;
    // linfa gives the multipliers of the negative class with a minus sign.
    let alpha = machine.alpha.iter().map(|a| lambda * a.abs()).collect();
    Ok((alpha, iterations(&machine.to_string())))
}

/// The first whole number of linfa's summary, `Exited after N iterations …` or `Reached maximal
/// iterations N …`.
fn iterations(summary: &str) -> Option<usize> {
    summary
        .split_whitespace()
        .find_map(|word| word.parse().ok())
}
