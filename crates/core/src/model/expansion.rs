//! Kernel expansions `g(x) = Σ_j c_j k(x, z_j)`: exact-kernel models and, at the landmarks, Nyström ones.

use crate::kernel::GaussianKernel;
use crate::linalg::matmul;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// `g(x_i)` for each row of `x` (p × n), with `centres` z (m × n) and `coefficients` c (m).
///
/// # Panics
/// If the shapes disagree.
pub fn value(
    kernel: GaussianKernel,
    centres: ArrayView2<'_, f64>,
    coefficients: ArrayView1<'_, f64>,
    x: ArrayView2<'_, f64>,
) -> Array1<f64> {
    kernel.matrix(x, centres).dot(&coefficients)
}

/// [`value`] and the gradients `∇g(x) = Σ_j c_j k(x, z_j) (z_j − x)/σ²` (p × n).
///
/// # Panics
/// If the shapes disagree.
pub fn value_and_gradient(
    kernel: GaussianKernel,
    centres: ArrayView2<'_, f64>,
    coefficients: ArrayView1<'_, f64>,
    x: ArrayView2<'_, f64>,
) -> (Array1<f64>, Array2<f64>) {
    let mut weighted = kernel.matrix(x, centres);
    weighted *= &coefficients;
    let values = weighted.sum_axis(Axis(1));
    let mut gradient = matmul(weighted.view(), centres);
    let scale = 1.0 / (kernel.sigma() * kernel.sigma());
    for ((mut row, point), value) in gradient
        .axis_iter_mut(Axis(0))
        .zip(x.outer_iter())
        .zip(&values)
    {
        row.zip_mut_with(&point, |g, x| *g = scale * (*g - value * x));
    }
    (values, gradient)
}
