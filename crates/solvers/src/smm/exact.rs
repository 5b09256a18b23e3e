//! The support measure machine on the exact kernel.

use crate::kernel::{GramSettings, fit_gram_svm};
use crate::problem::check_length;
use crate::{RelativeGap, SolverError, Status};
use ndarray::{Array1, ArrayView1};
use robust_svm_core::distribution::{GaussianInputs, InputKernel};
use robust_svm_core::model::MeasureModel;

/// A support measure machine with its certificate.
#[derive(Debug, Clone)]
pub struct SmmSolution {
    /// The classifier of points.
    pub model: MeasureModel,
    /// The multipliers α (L), feasible for the dual: in [0, 1] with `Σα_iy_i = 0`.
    pub alpha: Array1<f64>,
    /// `P = λ/2 ‖f − b‖² + Σ max{0, 1 − y_i E f(X_i)}`; with the linear kernel, of its training matrix with `tr Σ_i` on the diagonal.
    pub objective: f64,
    /// `D(α)`, a lower bound on the optimal value.
    pub dual_objective: f64,
    /// `(P − D)/P`.
    pub relative_gap: RelativeGap,
    /// Pairs optimised.
    pub iterations: usize,
    /// How the solve ended.
    pub status: Status,
}

/// Trains a support measure machine on `inputs` (L) with labels `y` (L) in {−1, +1}, λ > 0 and a free intercept:
/// [`fit_gram_svm`] on [`InputKernel::gram`], whose minimiser is `f = Σβ_jμ_j + b` by the representer theorem for distributions [Muandet
/// et al., Theorem 1].
///
/// Takes O(L²) memory.
///
/// # Errors
/// As [`fit_gram_svm`]; [`SolverError::Backend`] for a full covariance with a negative eigenvalue.
pub fn fit_smm(
    kernel: InputKernel,
    inputs: &GaussianInputs,
    y: ArrayView1<'_, f64>,
    lambda: f64,
    settings: &GramSettings,
) -> Result<SmmSolution, SolverError> {
    check_length("labels", inputs.len(), y.len())?;
    let gram = kernel.gram(inputs)?;
    let solution = fit_gram_svm(gram.view(), y, lambda, settings)?;
    let model = MeasureModel::new(kernel, inputs, solution.beta.view(), solution.intercept)?;
    Ok(SmmSolution {
        model,
        alpha: solution.alpha,
        objective: solution.objective,
        dual_objective: solution.dual_objective,
        relative_gap: solution.relative_gap,
        iterations: solution.iterations,
        status: solution.status,
    })
}
