//! The logarithm of the Gaussian kernel of two normally distributed inputs, `−½ ln|I + S| − ½ dᵀ(I + S)^{−1}d`, where
//! the covariances are no multiples of I.

use super::GaussianInputs;
use crate::CoreError;
use crate::kernel::GaussianKernel;
use crate::linalg::CholeskyFactor;
use ndarray::{Array2, Axis, s};
use std::ops::Range;

/// A product of factors is multiplied up to here before its logarithm is taken.
const LARGE: f64 = 1e100;

/// Means over σ and diagonals of Σ over σ², L × n each.
pub(super) struct Diagonals {
    means: Array2<f64>,
    variances: Array2<f64>,
}

impl Diagonals {
    pub(super) fn new(kernel: GaussianKernel, inputs: &GaussianInputs) -> Self {
        let sigma = kernel.sigma();
        Self {
            means: inputs.means().mapv(|m| m / sigma),
            variances: inputs.variances() / (sigma * sigma),
        }
    }

    /// The logarithm of the kernel of the input i here and j there. The determinant is multiplied up in four products,
    /// of relative error n·2^−52, so a logarithm is taken for hundreds of factors only.
    pub(super) fn exponent(&self, i: usize, other: &Self, j: usize) -> f64 {
        let means = [self.means.row(i), other.means.row(j)];
        let variances = [self.variances.row(i), other.variances.row(j)];
        let [m, z] = means.map(|row| row.to_slice().expect("rows in one piece"));
        let [v, w] = variances.map(|row| row.to_slice().expect("rows in one piece"));
        let whole = m.len() / 4 * 4;
        let (mut products, mut squares, mut logarithm) = ([1.0; 4], [0.0; 4], 0.0);
        let fours = m[..whole].chunks_exact(4).zip(z.chunks_exact(4));
        let spreads = v.chunks_exact(4).zip(w.chunks_exact(4));
        for ((m, z), (v, w)) in fours.zip(spreads) {
            for k in 0..4 {
                let (d, s) = (m[k] - z[k], 1.0 + v[k] + w[k]);
                squares[k] += d * d / s;
                products[k] *= s;
            }
            if products.iter().any(|product| *product > LARGE) {
                logarithm += products.iter().map(|product| product.ln()).sum::<f64>();
                products = [1.0; 4];
            }
        }
        let mut square: f64 = squares.iter().sum();
        logarithm += products.iter().map(|product| product.ln()).sum::<f64>();
        for k in whole..m.len() {
            let (d, s) = (m[k] - z[k], 1.0 + v[k] + w[k]);
            square += d * d / s;
            logarithm += s.ln();
        }
        -0.5 * (square + logarithm)
    }
}

/// Pairs of inputs of which one at least has full covariances.
pub(super) struct Factors<'a> {
    kernel: GaussianKernel,
    a: &'a GaussianInputs,
    b: &'a GaussianInputs,
}

impl<'a> Factors<'a> {
    pub(super) fn new(
        kernel: GaussianKernel,
        a: &'a GaussianInputs,
        b: &'a GaussianInputs,
    ) -> Self {
        Self { kernel, a, b }
    }

    /// The logarithms of the kernel (p × q), of each row i from the column `first(i)` on, by a Cholesky factor of `I + S` for each
    /// run of columns with one Σ_j. A run at points, which all have Σ = 0, takes one factor.
    pub(super) fn exponents(
        &self,
        first: impl Fn(usize) -> usize,
    ) -> Result<Array2<f64>, CoreError> {
        let mut exponents = Array2::zeros((self.a.len(), self.b.len()));
        for (i, mut row) in exponents.outer_iter_mut().enumerate() {
            let mut j = first(i);
            while j < self.b.len() {
                let run = (j..self.b.len()).take_while(|other| self.b.same_covariance(j, *other));
                let end = j + run.count();
                let (half_logarithm, squares) = self.of_run(i, j..end)?;
                for (exponent, square) in row.slice_mut(s![j..end]).iter_mut().zip(squares) {
                    *exponent = -half_logarithm - 0.5 * square;
                }
                j = end;
            }
        }
        Ok(exponents)
    }

    /// `½ ln|I + S|`, and `dᵀ(I + S)^{−1}d` of each column of `run`, which share S.
    fn of_run(&self, i: usize, run: Range<usize>) -> Result<(f64, Vec<f64>), CoreError> {
        let (sigma, n) = (self.kernel.sigma(), self.a.means().ncols());
        let mut sum = Array2::eye(n);
        self.a.add_covariance(i, (sigma * sigma).recip(), &mut sum);
        self.b
            .add_covariance(run.start, (sigma * sigma).recip(), &mut sum);
        let factor = CholeskyFactor::new(sum)
            .map_err(|_| CoreError::Numerical("a covariance has a negative eigenvalue".into()))?;
        let half_logarithm = factor.upper().diag().iter().map(|l| l.ln()).sum();
        let offsets = (&self.b.means().slice(s![run, ..]) - &self.a.means().row(i)) / sigma;
        let squares = factor.solve_lower(offsets);
        let squares = squares.map_axis(Axis(1), |row| row.dot(&row)).to_vec();
        Ok((half_logarithm, squares))
    }
}
