//! Gradients of expansions over distributions.

use crate::CoreError;
use crate::distribution::{Covariances, GaussianInputs, InputKernel};
use crate::linalg::{matmul, positive_definite_solve};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Zip};

/// What the gradient of `Σ_j β_j E k(X_j, x)` takes beside the terms themselves.
///
/// - linear: `Σβ_jm_j`;
/// - quadratic, as `E k(X_j, x) = (m_jᵀx + 1)² + xᵀΣ_jx`: `2Qx + 2Σβ_jm_j`, `Q = Σβ_j(m_jm_jᵀ + Σ_j)`;
/// - Gaussian: `Σ_j w_j(x) P_j(m_j − x)` with the terms w_j(x) and `P_j = (σ²I + Σ_j)^{−1}`.
#[derive(Debug, Clone)]
pub(super) enum Slopes {
    /// `Σβ_jm_j` (n).
    Linear(Array1<f64>),
    /// Q (n × n) and `Σβ_jm_j` (n).
    Quadratic(Array2<f64>, Array1<f64>),
    /// The diagonals of P_j (L × n).
    Diagonal(Array2<f64>),
    /// P_j.
    Full(Vec<Array2<f64>>),
}

impl Slopes {
    pub(super) fn new(
        kernel: InputKernel,
        inputs: &GaussianInputs,
        beta: ArrayView1<'_, f64>,
    ) -> Result<Self, CoreError> {
        let means = inputs.means();
        let weighted_mean = || means.t().dot(&beta);
        match kernel {
            InputKernel::Linear => Ok(Self::Linear(weighted_mean())),
            InputKernel::Quadratic => {
                let weighted = &means * &beta.insert_axis(Axis(1));
                let mut matrix = matmul(means.t(), weighted.view());
                for (j, β) in beta.iter().enumerate() {
                    inputs.add_covariance(j, *β, &mut matrix);
                }
                Ok(Self::Quadratic(matrix, weighted_mean()))
            }
            InputKernel::Gaussian(kernel) => {
                let square = kernel.sigma() * kernel.sigma();
                if !matches!(inputs.covariances(), Covariances::Full(_)) {
                    return Ok(Self::Diagonal(
                        inputs.variances().mapv(|v| (square + v).recip()),
                    ));
                }
                let precision = |j| {
                    let n = means.ncols();
                    let mut sum = Array2::eye(n) * square;
                    inputs.add_covariance(j, 1.0, &mut sum);
                    positive_definite_solve(sum, Array2::eye(n))
                };
                Ok(Self::Full(
                    (0..inputs.len()).map(precision).collect::<Result<_, _>>()?,
                ))
            }
        }
    }

    /// The gradients at the rows of `x` (p × n), given the terms `β_j E k(X_j, x_i)` (p × L).
    pub(super) fn gradients(
        &self,
        inputs: &GaussianInputs,
        terms: &Array2<f64>,
        x: ArrayView2<'_, f64>,
    ) -> Array2<f64> {
        match self {
            Self::Linear(w) => Array2::from_shape_fn(x.dim(), |(_, k)| w[k]),
            Self::Quadratic(matrix, w) => (matmul(x, matrix.view()) + w) * 2.0,
            Self::Diagonal(precisions) => {
                let drawn = matmul(terms.view(), (&inputs.means() * precisions).view());
                drawn - matmul(terms.view(), precisions.view()) * x
            }
            Self::Full(precisions) => {
                let mut gradients = Array2::zeros(x.dim());
                let means = inputs.means();
                let of_inputs = precisions.iter().zip(means.outer_iter());
                for ((precision, mean), terms) in of_inputs.zip(terms.columns()) {
                    let pulls = matmul((&mean - &x).view(), precision.view());
                    Zip::from(gradients.rows_mut())
                        .and(pulls.rows())
                        .and(terms)
                        .for_each(|mut gradient, pull, term| gradient.scaled_add(*term, &pull));
                }
                gradients
            }
        }
    }
}
