//! Inputs known by draws from their distributions, or by measuring them again and again.

use super::InputKernel;
use crate::CoreError;
use crate::check::{check_finite, check_length};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};

/// Inputs of `R^n`, each with values drawn independently from its distribution.
#[derive(Debug, Clone, PartialEq)]
pub struct EmpiricalInputs {
    draws: Vec<Array2<f64>>,
}

/// An estimate of kernels of distributions. Entries of one matrix share draws, so that their errors are not independent.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelEstimate {
    /// Unbiased estimates of `E k(X_i, Z_j)`.
    pub values: Array2<f64>,
    /// Their standard errors.
    pub standard_errors: Array2<f64>,
}

impl EmpiricalInputs {
    /// Inputs with the values in the rows of each array of `draws`, as many columns each.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] for an input without values, [`CoreError::Shape`] for different widths,
    /// [`CoreError::NotFinite`] for a value that is not finite.
    pub fn new(draws: Vec<Array2<f64>>) -> Result<Self, CoreError> {
        for values in &draws {
            check_length("width of the draws", draws[0].ncols(), values.ncols())?;
            check_finite("draws", values.view())?;
            if values.nrows() == 0 {
                return Err(CoreError::parameter("draws", "at least 1 of each input", 0));
            }
        }
        Ok(Self { draws })
    }

    /// The values of each input, a draw a row.
    pub fn draws(&self) -> &[Array2<f64>] {
        &self.draws
    }

    /// `E k(X_i, Z_j)` for independent inputs of `self` (p) and `other` (q), p × q, by the mean of k over all pairs of draws. Its
    /// standard error is that of the linear part of a two-sample U-statistic, `s²_X/r + s²_Z/t` under the root, with the variances of the
    /// means over the draws of the other [A. W. van der Vaart, *Asymptotic Statistics*, Theorem 12.6].
    ///
    /// # Errors
    /// [`CoreError::Shape`] for different widths, [`CoreError::Parameter`] for an input with one draw, which tells
    /// nothing of its error: for points use [`EmpiricalInputs::at_points`].
    pub fn matrix(&self, kernel: InputKernel, other: &Self) -> Result<KernelEstimate, CoreError> {
        self.check_pair(other.draws.first().map(Array2::view))?;
        check_repeated(&self.draws)?;
        check_repeated(&other.draws)?;
        Ok(estimates((self.draws.len(), other.draws.len()), |i, j| {
            let k = kernel.at_points(self.draws[i].view(), other.draws[j].view());
            let [left, right] = [Axis(1), Axis(0)].map(|axis| means(&k, axis));
            let square = square_error(left.view()) + square_error(right.view());
            (mean(left.view()), square.sqrt())
        }))
    }

    /// `E k(X_i, z_j)` at the points in the rows of `z` (q × n), p × q.
    ///
    /// # Errors
    /// As [`EmpiricalInputs::matrix`].
    pub fn at_points(
        &self,
        kernel: InputKernel,
        z: ArrayView2<'_, f64>,
    ) -> Result<KernelEstimate, CoreError> {
        self.check_pair(Some(z))?;
        check_repeated(&self.draws)?;
        Ok(estimates((self.draws.len(), z.nrows()), |i, j| {
            let k = kernel.at_points(self.draws[i].view(), z.slice(s![j..=j, ..]));
            let column = k.column(0);
            (mean(column), square_error(column).sqrt())
        }))
    }

    /// The training matrix (L × L). On the diagonal is an estimate of `‖μ_i‖² = E k(X, X′)`, X′ an independent copy, by the mean
    /// over pairs of **different** draws (a U-statistic): with a draw paired with itself it would be `E k(X, X)` in one of r
    /// cases, and too large. So no entry has a bias; but the matrix need not be positive semi-definite. For one that is, and that a support
    /// vector machine can be trained on, see [`EmpiricalInputs::gram_of_samples`].
    ///
    /// # Errors
    /// As [`EmpiricalInputs::matrix`].
    pub fn gram(&self, kernel: InputKernel) -> Result<KernelEstimate, CoreError> {
        let mut estimate = self.matrix(kernel, self)?;
        for (i, draws) in self.draws.iter().enumerate() {
            let mut k = kernel.at_points(draws.view(), draws.view());
            k.diag_mut().fill(0.0);
            let others = (draws.nrows() - 1) as f64;
            let row_means = k.sum_axis(Axis(1)) / others;
            estimate.values[(i, i)] = mean(row_means.view());
            estimate.standard_errors[(i, i)] = 2.0 * square_error(row_means.view()).sqrt();
        }
        Ok(estimate)
    }

    /// The inner products (L × L) of the mean embeddings of the samples themselves, `(1/r) Σ_s k(x_is, ·)`: positive semi-definite, and
    /// too large on the diagonal for the distributions by `(E k(X, X) − ‖μ_i‖²)/r`.
    pub fn gram_of_samples(&self, kernel: InputKernel) -> Array2<f64> {
        let mut gram = Array2::zeros((self.draws.len(), self.draws.len()));
        for (i, left) in self.draws.iter().enumerate() {
            for (j, right) in self.draws.iter().enumerate().skip(i) {
                let k = kernel.at_points(left.view(), right.view());
                gram[(i, j)] = k.sum() / k.len() as f64;
                gram[(j, i)] = gram[(i, j)];
            }
        }
        gram
    }

    /// That the inputs are as wide as `other`.
    fn check_pair(&self, other: Option<ArrayView2<'_, f64>>) -> Result<(), CoreError> {
        match (self.draws.first(), other) {
            (Some(own), Some(other)) => {
                check_length("width of the draws", own.ncols(), other.ncols())
            }
            _ => Ok(()),
        }
    }
}

/// That no input has one draw only.
fn check_repeated(draws: &[Array2<f64>]) -> Result<(), CoreError> {
    if draws.iter().all(|values| values.nrows() > 1) {
        return Ok(());
    }
    let expected = "at least 2 of each input, for a standard error";
    Err(CoreError::parameter("draws", expected, 1))
}

/// The value and standard error of each pair.
fn estimates(shape: (usize, usize), pair: impl Fn(usize, usize) -> (f64, f64)) -> KernelEstimate {
    let mut values = Array2::zeros(shape);
    let mut standard_errors = Array2::zeros(shape);
    for i in 0..shape.0 {
        for j in 0..shape.1 {
            (values[(i, j)], standard_errors[(i, j)]) = pair(i, j);
        }
    }
    KernelEstimate {
        values,
        standard_errors,
    }
}

fn means(k: &Array2<f64>, axis: Axis) -> Array1<f64> {
    k.map_axis(axis, mean)
}

fn mean(values: ArrayView1<'_, f64>) -> f64 {
    values.sum() / values.len() as f64
}

/// The squared standard error of the mean of independent `values`.
fn square_error(values: ArrayView1<'_, f64>) -> f64 {
    let (centre, count) = (mean(values), values.len() as f64);
    let squares: f64 = values.iter().map(|v| (v - centre) * (v - centre)).sum();
    squares / ((count - 1.0) * count)
}
