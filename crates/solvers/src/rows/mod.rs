//! The rows of a conic form, dense or sparse, and the products by them that cost the most.

mod dense;
mod sparse;

use crate::linear_system::LinearSystem;
use crate::workers::Workers;
use dense::DenseRows;
use sparse::SparseRows;

/// Rows with more than this share of values that are not 0 are stored dense: full products are then the faster.
const LARGEST_DENSITY: f64 = 0.1;

/// A matrix B (L × n).
pub(crate) enum Rows {
    /// Every value stored.
    Dense(DenseRows),
    /// Only those that are not 0.
    Sparse(SparseRows),
}

impl Rows {
    /// The rows `(sign_i φ_i, extra_i)`: the features of `samples` with the sign of the sample, then the `extra` values
    /// (as many for each row, row after row).
    pub(crate) fn new(
        samples: &crate::Samples<'_>,
        signs: ndarray::ArrayView1<'_, f64>,
        extra: &[f64],
    ) -> Self {
        let (rows, dim) = samples.dim();
        match samples {
            crate::Samples::Sparse(phi)
                if phi.nnz() as f64 <= LARGEST_DENSITY * (rows * dim) as f64 =>
            {
                Self::Sparse(SparseRows::new(*phi, signs, extra))
            }
            _ => Self::Dense(DenseRows::new(samples, signs, extra)),
        }
    }

    /// `out = B x` (L).
    pub(crate) fn mul(&self, x: &[f64], out: &mut [f64], workers: Workers) {
        match self {
            Self::Dense(rows) => rows.mul(x, out, workers),
            Self::Sparse(rows) => rows.mul(x, out, workers),
        }
    }

    /// `out += Bᵀ r` (n).
    pub(crate) fn add_mul_transposed(&self, r: &[f64], out: &mut [f64], workers: Workers) {
        match self {
            Self::Dense(rows) => rows.add_mul_transposed(r, out, workers),
            Self::Sparse(rows) => rows.add_mul_transposed(r, out, workers),
        }
    }

    /// `Bᵀ diag(w) B` in the lower half of the matrix of `system`.
    pub(crate) fn assign_gram(&self, w: &[f64], system: &mut LinearSystem) {
        match self {
            Self::Dense(rows) => system.assign_weighted_gram(rows.values(), w),
            Self::Sparse(rows) => rows.assign_gram(w, system),
        }
    }
}
