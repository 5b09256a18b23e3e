//! Models that expand over training points.

use super::{DecisionFunction, expansion};
use crate::kernel::GaussianKernel;
use crate::linalg::into_standard_layout;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// `f(x) = Σ_j β_j k(x, x_j) + b` over the points with β_j ≠ 0.
#[derive(Debug, Clone)]
pub struct KernelModel {
    kernel: GaussianKernel,
    centres: Array2<f64>,
    coefficients: Array1<f64>,
    intercept: f64,
    norm: f64,
}

impl KernelModel {
    /// The model with coefficients `beta` (L) on the rows of `x` (L × n); zero coefficients are left
    /// out.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn new(
        kernel: GaussianKernel,
        x: ArrayView2<'_, f64>,
        beta: ArrayView1<'_, f64>,
        intercept: f64,
    ) -> Self {
        let support: Vec<usize> = (0..beta.len()).filter(|&i| beta[i] != 0.0).collect();
        // The last bits of sums depend on how memory is laid out, which is no part of the model.
        let centres = into_standard_layout(x.select(Axis(0), &support));
        let coefficients = beta.select(Axis(0), &support);
        let gram = kernel.matrix(centres.view(), centres.view());
        let norm = coefficients.dot(&gram.dot(&coefficients)).max(0.0).sqrt();
        Self {
            kernel,
            centres,
            coefficients,
            intercept,
            norm,
        }
    }

    /// The kernel.
    pub fn kernel(&self) -> GaussianKernel {
        self.kernel
    }

    /// The support points x_j as rows.
    pub fn centres(&self) -> ArrayView2<'_, f64> {
        self.centres.view()
    }

    /// The coefficients β of the support points.
    pub fn coefficients(&self) -> ArrayView1<'_, f64> {
        self.coefficients.view()
    }

    /// The intercept b.
    pub fn intercept(&self) -> f64 {
        self.intercept
    }

    /// `sqrt(βᵀKβ)`, the norm of f − b in the kernel's Hilbert space.
    pub fn norm(&self) -> f64 {
        self.norm
    }
}

impl DecisionFunction for KernelModel {
    fn decision(&self, x: ArrayView2<'_, f64>) -> Array1<f64> {
        expansion::value(self.kernel, self.centres(), self.coefficients(), x) + self.intercept
    }

    fn decision_and_gradient(&self, x: ArrayView2<'_, f64>) -> (Array1<f64>, Array2<f64>) {
        let (values, gradient) =
            expansion::value_and_gradient(self.kernel, self.centres(), self.coefficients(), x);
        (values + self.intercept, gradient)
    }
}
