//! Models that expand over training distributions.

use super::DecisionFunction;
use super::measure_gradient::Slopes;
use crate::CoreError;
use crate::check::{check_finite, check_length};
use crate::distribution::{GaussianInputs, InputKernel};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// `f(x) = Σ_j β_j E k(X_j, x) + b = ⟨Σ_j β_jμ_j, k(x, ·)⟩ + b` over the inputs with β_j ≠ 0, at points x: the decision function of
/// a support measure machine [Muandet et al., NIPS 2012]. `f − b` is in the kernel's Hilbert space, as every μ_j is.
#[derive(Debug, Clone)]
pub struct MeasureModel {
    kernel: InputKernel,
    inputs: GaussianInputs,
    coefficients: Array1<f64>,
    intercept: f64,
    norm: f64,
    slopes: Slopes,
}

impl MeasureModel {
    /// The model with coefficients `beta` (L) on `inputs` (L); zero coefficients are left out.
    ///
    /// # Errors
    /// [`CoreError::Shape`] if the lengths differ, [`CoreError::NotFinite`] for a coefficient or kernel that is not finite,
    /// [`CoreError::Numerical`] for a full covariance with a negative eigenvalue.
    pub fn new(
        kernel: InputKernel,
        inputs: &GaussianInputs,
        beta: ArrayView1<'_, f64>,
        intercept: f64,
    ) -> Result<Self, CoreError> {
        check_length("coefficients", inputs.len(), beta.len())?;
        check_finite("coefficients", beta.insert_axis(Axis(1)))?;
        let support: Vec<usize> = (0..beta.len()).filter(|&i| beta[i] != 0.0).collect();
        let (inputs, coefficients) = (inputs.select(&support), beta.select(Axis(0), &support));
        let products = kernel.matrix(&inputs, &inputs)?;
        check_finite("kernel of the inputs", products.view())?;
        let square = coefficients.dot(&products.dot(&coefficients));
        // Decisions factor what this does, and cannot fail where it has not.
        let origin = Array2::zeros((1, inputs.means().ncols()));
        kernel.matrix(&GaussianInputs::at(origin.view()), &inputs)?;
        Ok(Self {
            slopes: Slopes::new(kernel, &inputs, coefficients.view())?,
            kernel,
            inputs,
            coefficients,
            intercept,
            norm: square.max(0.0).sqrt(),
        })
    }

    /// The kernel.
    pub fn kernel(&self) -> InputKernel {
        self.kernel
    }

    /// The support inputs X_j.
    pub fn inputs(&self) -> &GaussianInputs {
        &self.inputs
    }

    /// The coefficients β of the support inputs.
    pub fn coefficients(&self) -> ArrayView1<'_, f64> {
        self.coefficients.view()
    }

    /// The intercept b.
    pub fn intercept(&self) -> f64 {
        self.intercept
    }

    /// `‖Σβ_jμ_j‖ = sqrt(ΣΣ β_iβ_j⟨μ_i, μ_j⟩)`, the norm of f − b in the kernel's Hilbert space. Where a point moves by δ, f changes by
    /// at most that times [`movement`](crate::kernel::GaussianKernel::movement) of ‖δ‖, by Cauchy–Schwarz.
    pub fn norm(&self) -> f64 {
        self.norm
    }

    /// `E k(X_j, x_i)`, p × support.
    fn kernels(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        self.kernel
            .matrix(&GaussianInputs::at(x), &self.inputs)
            .expect("as wide as the training inputs; the covariances were factored before")
    }
}

impl DecisionFunction for MeasureModel {
    fn decision(&self, x: ArrayView2<'_, f64>) -> Array1<f64> {
        self.kernels(x).dot(&self.coefficients) + self.intercept
    }

    fn decision_and_gradient(&self, x: ArrayView2<'_, f64>) -> (Array1<f64>, Array2<f64>) {
        let weighted = self.kernels(x) * &self.coefficients;
        let values = weighted.sum_axis(Axis(1)) + self.intercept;
        let gradients = self.slopes.gradients(&self.inputs, &weighted, x);
        (values, gradients)
    }
}
