//! Kernel expansions `g(x) = Σ_j c_j k(x, z_j)`: exact-kernel models and, at the landmarks, Nyström ones.

use crate::kernel::GaussianKernel;
use crate::linalg::{matmul, matmul_transposed};
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
    let gradients = weighted_gradients(kernel, centres, &weighted, &values, x);
    (values, gradients)
}

/// `∇g_i(x_i)` (p × n) of a function for each row of `x` (p × n): `g_i = Σ_j c_ij k(·, z_j)` with `coefficients` c
/// (p × m), taken for its memory.
///
/// # Panics
/// If the shapes disagree.
pub fn gradients(
    kernel: GaussianKernel,
    centres: ArrayView2<'_, f64>,
    coefficients: Array2<f64>,
    x: ArrayView2<'_, f64>,
) -> Array2<f64> {
    let weighted = coefficients * kernel.matrix(x, centres);
    let values = weighted.sum_axis(Axis(1));
    weighted_gradients(kernel, centres, &weighted, &values, x)
}

/// The derivative of `k(·, z_j)` at x_i along u_i, `k(x_i, z_j) ⟨z_j − x_i, u_i⟩/σ²`, for each row of `x` and `u`
/// (p × n) and each of the `centres` z (m × n): p × m.
///
/// # Panics
/// If the shapes disagree.
pub fn directional_derivatives(
    kernel: GaussianKernel,
    centres: ArrayView2<'_, f64>,
    x: ArrayView2<'_, f64>,
    u: ArrayView2<'_, f64>,
) -> Array2<f64> {
    assert_eq!(x.dim(), u.dim(), "one row of u a point");
    let mut derivatives = matmul_transposed(u, centres);
    let scale = 1.0 / (kernel.sigma() * kernel.sigma());
    let rows = derivatives.outer_iter_mut().zip(x.outer_iter());
    for ((mut row, x), u) in rows.zip(u.outer_iter()) {
        let own = x.dot(&u);
        row.mapv_inplace(|product| scale * (product - own));
    }
    derivatives *= &kernel.matrix(x, centres);
    derivatives
}

/// `Σ_j w_ij (z_j − x_i)/σ²` for weights `w_ij = c_ij k(x_i, z_j)` and their sums over j.
fn weighted_gradients(
    kernel: GaussianKernel,
    centres: ArrayView2<'_, f64>,
    weighted: &Array2<f64>,
    sums: &Array1<f64>,
    x: ArrayView2<'_, f64>,
) -> Array2<f64> {
    let mut gradient = matmul(weighted.view(), centres);
    let scale = 1.0 / (kernel.sigma() * kernel.sigma());
    for ((mut row, point), sum) in gradient
        .axis_iter_mut(Axis(0))
        .zip(x.outer_iter())
        .zip(sums)
    {
        row.zip_mut_with(&point, |g, x| *g = scale * (*g - sum * x));
    }
    gradient
}
