//! The Gaussian kernel of normally distributed inputs.
//!
//! `E k(X, Z) = |I + S|^{−1/2} exp(−½ dᵀ(I + S)^{−1}d)` with `S = (Σ_i + Σ_j)/σ²` and `d = (m_i − m_j)/σ` [Muandet et al., NIPS 2012,
//! Table 1]: `k(x, z) = (2πσ²)^{n/2} N(x − z; 0, σ²I)`, and X − Z is `N(m_i − m_j, Σ_i + Σ_j)`, so that the mean is that
//! constant times the density of `N(0, σ²I + Σ_i + Σ_j)` at m_i − m_j. Its logarithm is computed, and the exponential last.

use super::pairs::{Diagonals, Factors};
use super::{Covariances, GaussianInputs};
use crate::CoreError;
use crate::kernel::{GaussianKernel, squared_distances};
use crate::linalg::into_standard_layout;
use crate::vector_math::exp_in_place;
use ndarray::{Array2, Axis};

/// Columns whose exponents are computed together: their means and variances stay in the cache.
const TILE: usize = 64;

/// `E k(X_i, Z_j)`, p × q.
pub(super) fn matrix(
    kernel: GaussianKernel,
    a: &GaussianInputs,
    b: &GaussianInputs,
) -> Result<Array2<f64>, CoreError> {
    // One factor of `I + S` serves all points that are columns.
    if matches!(a.covariances(), Covariances::Zero) && b.has_full_covariances() {
        let transposed = of_columns(kernel, b, a, |_| 0)?;
        return Ok(into_standard_layout(transposed.reversed_axes()));
    }
    of_columns(kernel, a, b, |_| 0)
}

/// [`matrix`] of `a` with itself, of which what is below the diagonal has no meaning.
pub(super) fn upper_triangle(
    kernel: GaussianKernel,
    a: &GaussianInputs,
) -> Result<Array2<f64>, CoreError> {
    of_columns(kernel, a, a, |row| row)
}

/// The columns of each row i from `first(i)` on.
fn of_columns(
    kernel: GaussianKernel,
    a: &GaussianInputs,
    b: &GaussianInputs,
    first: impl Fn(usize) -> usize,
) -> Result<Array2<f64>, CoreError> {
    let isotropic = a.common_variances().zip(b.common_variances());
    let mut exponents = if let Some((left, right)) = isotropic {
        let mut exponents = squared_distances(a.means(), b.means());
        let (square, n) = (kernel.sigma() * kernel.sigma(), a.means().ncols() as f64);
        for (i, (mut row, v)) in exponents.outer_iter_mut().zip(&left).enumerate() {
            // Neighbours often have the same variance, and logarithms are dear.
            let (mut last, mut scale, mut constant) = (f64::NAN, 0.0, 0.0);
            for (exponent, w) in row.iter_mut().zip(&right).skip(first(i)) {
                if v + w != last {
                    last = v + w;
                    scale = -0.5 / (square + last);
                    constant = -0.5 * n * (last / square).ln_1p();
                }
                *exponent = scale * *exponent + constant;
            }
        }
        exponents
    } else if a.has_full_covariances() || b.has_full_covariances() {
        Factors::new(kernel, a, b).exponents(&first)?
    } else {
        let mut exponents = Array2::zeros((a.len(), b.len()));
        let (left, right) = (Diagonals::new(kernel, a), Diagonals::new(kernel, b));
        for (tile, mut block) in exponents.axis_chunks_iter_mut(Axis(1), TILE).enumerate() {
            for (i, mut row) in block.outer_iter_mut().enumerate() {
                let skipped = first(i).saturating_sub(tile * TILE);
                for (k, exponent) in row.iter_mut().enumerate().skip(skipped) {
                    *exponent = left.exponent(i, &right, tile * TILE + k);
                }
            }
        }
        exponents
    };
    for (i, mut row) in exponents.outer_iter_mut().enumerate() {
        exp_in_place(&mut row.as_slice_mut().expect("rows in one piece")[first(i)..]);
    }
    Ok(exponents)
}
