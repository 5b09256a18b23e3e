//! The rows of a conic form, dense, sparse or streamed, and the products by them that cost the most.

mod dense;
mod sparse;
mod streamed;

use crate::linear_system::LinearSystem;
use crate::workers::Workers;
use dense::DenseRows;
use sparse::SparseRows;
use streamed::StreamedRows;

/// Rows with more than this share of values that are not 0 are stored dense: full products are then the faster.
const LARGEST_DENSITY: f64 = 0.1;

/// A matrix B (L × n).
pub(crate) enum Rows<'a> {
    /// Every value stored.
    Dense(DenseRows),
    /// Only those that are not 0.
    Sparse(SparseRows),
    /// None: computed in each product.
    Streamed(StreamedRows<'a>),
}

impl<'a> Rows<'a> {
    /// The rows `(sign_i φ_i, extra_i)`: the features of `samples` with the sign of the sample, then the `extra` values
    /// (as many for each row, row after row).
    pub(crate) fn new(
        samples: &crate::Samples<'a>,
        signs: ndarray::ArrayView1<'_, f64>,
        extra: &[f64],
        workers: Workers,
    ) -> Self {
        let (rows, dim) = samples.dim();
        match samples {
            crate::Samples::Streamed(samples) => {
                Self::Streamed(StreamedRows::new(samples, signs, extra))
            }
            crate::Samples::Sparse(phi)
                if phi.nnz() as f64 <= LARGEST_DENSITY * (rows * dim) as f64 =>
            {
                Self::Sparse(SparseRows::new(*phi, signs, extra))
            }
            _ => Self::Dense(DenseRows::new(samples, signs, extra, workers)),
        }
    }

    /// Whether rows in blocks could not be read, so that products are NaN.
    pub(crate) fn is_lost(&self) -> bool {
        match self {
            Self::Dense(_) | Self::Sparse(_) => false,
            Self::Streamed(rows) => rows.is_lost(),
        }
    }

    /// `out = B x` (L).
    pub(crate) fn mul(&self, x: &[f64], out: &mut [f64], workers: Workers) {
        match self {
            Self::Dense(rows) => rows.mul(x, out, workers),
            Self::Sparse(rows) => rows.mul(x, out, workers),
            Self::Streamed(rows) => rows.mul(x, out, workers),
        }
    }

    /// `out += Bᵀ r` (n).
    pub(crate) fn add_mul_transposed(&self, r: &[f64], out: &mut [f64], workers: Workers) {
        match self {
            Self::Dense(rows) => rows.add_mul_transposed(r, out, workers),
            Self::Sparse(rows) => rows.add_mul_transposed(r, out, workers),
            Self::Streamed(rows) => rows.add_mul_transposed(r, out, workers),
        }
    }

    /// `out = B x` (L) and `sum += Bᵀ r` (n), in one pass but of sparse rows.
    pub(crate) fn mul_both(
        &self,
        (x, out): (&[f64], &mut [f64]),
        (r, sum): (&[f64], &mut [f64]),
        workers: Workers,
    ) {
        match self {
            Self::Dense(rows) => rows.mul_and_add((x, out), |i, _| r[i], sum, workers),
            Self::Streamed(rows) => rows.mul_both((x, out), (r, sum), workers),
            Self::Sparse(rows) => {
                rows.mul(x, out, workers);
                rows.add_mul_transposed(r, sum, workers);
            }
        }
    }

    /// `out = B x` (L) and `sum += Bᵀ(w∘out)` (n), in one pass but of sparse rows, for which `weighted` (L) is room.
    pub(crate) fn mul_normal(
        &self,
        (x, w): (&[f64], &[f64]),
        (out, weighted): (&mut [f64], &mut [f64]),
        sum: &mut [f64],
        workers: Workers,
    ) {
        match self {
            Self::Dense(rows) => rows.mul_and_add((x, out), |i, row| w[i] * row, sum, workers),
            Self::Streamed(rows) => rows.mul_normal((x, w), out, sum, workers),
            Self::Sparse(rows) => {
                rows.mul(x, out, workers);
                for ((weighted, row), w) in weighted.iter_mut().zip(&*out).zip(w) {
                    *weighted = w * row;
                }
                rows.add_mul_transposed(weighted, sum, workers);
            }
        }
    }

    /// `Bᵀ diag(w) B` in the lower half of the matrix of `system`.
    pub(crate) fn assign_gram(&self, w: &[f64], system: &mut LinearSystem) {
        match self {
            Self::Dense(rows) => system.assign_weighted_gram(rows.values(), w),
            Self::Sparse(rows) => rows.assign_gram(w, system),
            Self::Streamed(rows) => rows.assign_gram(w, system),
        }
    }
}
