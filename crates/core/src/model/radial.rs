//! Expansions over points that are as uncertain as a ball: Gaussians of a width each.

use super::DecisionFunction;
use crate::CoreError;
use crate::check::{check_finite, check_length};
use crate::distribution::{Covariances, GaussianInputs, InputKernel};
use crate::kernel::{GaussianKernel, squared_distances};
use crate::linalg::matmul;
use crate::vector_math::exp_in_place;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// `f(x) = Σ_j β_j E k(X_j, x) + b = Σ_j c_j exp(−‖x − z_j‖²/2(σ² + v_j)) + b` for the Gaussian kernel k of bandwidth σ and
/// `X_j ~ N(z_j, v_jI)`, with `c_j = β_j (1 + v_j/σ²)^{−n/2}` by the closed form of `E k(X, x)`; over the inputs with β_j ≠ 0. It is a
/// [`MeasureModel`](super::MeasureModel), and `f − b` is in the Hilbert space of k.
#[derive(Debug, Clone)]
pub struct RadialModel {
    kernel: GaussianKernel,
    centres: Array2<f64>,
    variances: Array1<f64>,
    beta: Array1<f64>,
    coefficients: Array1<f64>,
    intercept: f64,
    norm: f64,
}

impl RadialModel {
    /// The model with coefficients `beta` = β (L) on inputs with the means in the rows of `x` (L × n) and `variances` v (L).
    ///
    /// # Errors
    /// [`CoreError::Shape`] if the lengths differ, [`CoreError::NotFinite`] for means, variances and coefficients that are not
    /// finite, [`CoreError::Parameter`] for negative variances and where σ² or σ² + v_j is not positive and finite.
    pub fn new(
        kernel: GaussianKernel,
        x: ArrayView2<'_, f64>,
        variances: ArrayView1<'_, f64>,
        beta: ArrayView1<'_, f64>,
        intercept: f64,
    ) -> Result<Self, CoreError> {
        check_length("coefficients", x.nrows(), beta.len())?;
        let all = GaussianInputs::new(x.to_owned(), Covariances::Isotropic(variances.to_owned()))?;
        check_finite("coefficients", beta.insert_axis(Axis(1)))?;
        let square = kernel.sigma() * kernel.sigma();
        let widest = variances.iter().fold(square, |m, v| m.max(square + v));
        if !(square > 0.0 && widest.is_finite()) {
            let expected = "such that sigma² plus every variance is positive and finite";
            return Err(CoreError::parameter("sigma", expected, kernel.sigma()));
        }
        let support: Vec<usize> = (0..beta.len()).filter(|&i| beta[i] != 0.0).collect();
        let inputs = all.select(&support);
        let beta = beta.select(Axis(0), &support);
        let products = InputKernel::Gaussian(kernel).gram(&inputs)?;
        let variances = variances.select(Axis(0), &support);
        let half_n = 0.5 * x.ncols() as f64;
        let fall = |v: f64| (-half_n * (v / square).ln_1p()).exp();
        Ok(Self {
            kernel,
            centres: inputs.means().to_owned(),
            coefficients: &beta * &variances.mapv(fall),
            variances,
            intercept,
            norm: beta.dot(&products.dot(&beta)).max(0.0).sqrt(),
            beta,
        })
    }

    /// The kernel k.
    pub fn kernel(&self) -> GaussianKernel {
        self.kernel
    }

    /// The means z_j as rows.
    pub fn centres(&self) -> ArrayView2<'_, f64> {
        self.centres.view()
    }

    /// The variances v_j.
    pub fn variances(&self) -> ArrayView1<'_, f64> {
        self.variances.view()
    }

    /// The coefficients β_j of the mean embeddings.
    pub fn beta(&self) -> ArrayView1<'_, f64> {
        self.beta.view()
    }

    /// The heights c_j of the Gaussians.
    pub fn coefficients(&self) -> ArrayView1<'_, f64> {
        self.coefficients.view()
    }

    /// The intercept b.
    pub fn intercept(&self) -> f64 {
        self.intercept
    }

    /// `‖f − b‖` in the Hilbert space of k.
    pub fn norm(&self) -> f64 {
        self.norm
    }

    /// `c_j exp(−‖x_i − z_j‖²/2(σ² + v_j))`, p × m.
    fn terms(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        let square = self.kernel.sigma() * self.kernel.sigma();
        let scales = self.variances.mapv(|v| -0.5 / (square + v));
        let mut terms = squared_distances(x, self.centres.view());
        for mut row in terms.outer_iter_mut() {
            row *= &scales;
            exp_in_place(row.as_slice_mut().expect("rows in one piece"));
            row *= &self.coefficients;
        }
        terms
    }
}

impl DecisionFunction for RadialModel {
    fn decision(&self, x: ArrayView2<'_, f64>) -> Array1<f64> {
        self.terms(x).sum_axis(Axis(1)) + self.intercept
    }

    fn decision_and_gradient(&self, x: ArrayView2<'_, f64>) -> (Array1<f64>, Array2<f64>) {
        let mut terms = self.terms(x);
        let values = terms.sum_axis(Axis(1)) + self.intercept;
        let square = self.kernel.sigma() * self.kernel.sigma();
        terms /= &self.variances.mapv(|v| square + v);
        let mut gradients = matmul(terms.view(), self.centres.view());
        gradients -= &(&x * &terms.sum_axis(Axis(1)).insert_axis(Axis(1)));
        (values, gradients)
    }
}
