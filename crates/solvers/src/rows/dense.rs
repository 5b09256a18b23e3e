//! Dense rows.

use crate::Samples;
use crate::gram::piece;
use crate::linear_system::product;
use crate::workers::Workers;
use faer::{Accum, MatRef};
use ndarray::ArrayView1;

/// B (L × n), row after row.
pub(crate) struct DenseRows {
    values: Vec<f64>,
    columns: usize,
}

impl DenseRows {
    /// As [`super::Rows::new`].
    pub(super) fn new(samples: &Samples<'_>, signs: ArrayView1<'_, f64>, extra: &[f64]) -> Self {
        let (rows, dim) = samples.dim();
        let more = extra.len() / rows;
        let phi = samples.to_dense();
        let mut values = Vec::with_capacity(rows * (dim + more));
        for (i, (row, sign)) in phi.outer_iter().zip(signs).enumerate() {
            values.extend(row.iter().map(|φ| sign * φ));
            values.extend_from_slice(&extra[i * more..(i + 1) * more]);
        }
        Self {
            values,
            columns: dim + more,
        }
    }

    /// B, row after row.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The rows from `first` on, `count` of them.
    fn block(&self, first: usize, count: usize) -> MatRef<'_, f64> {
        let n = self.columns;
        let values = &self.values[first * n..(first + count) * n];
        MatRef::from_row_major_slice(values, count, n)
    }

    pub(super) fn mul(&self, x: &[f64], out: &mut [f64], workers: Workers) {
        let rows = piece(out.len());
        workers.blocks(out, rows, |k, out| {
            product(self.block(k * rows, out.len()), x, Accum::Replace, out);
        });
    }

    /// The sums over pieces of the rows, added in their order.
    pub(super) fn add_mul_transposed(&self, r: &[f64], out: &mut [f64], workers: Workers) {
        let rows = piece(r.len());
        let n = self.columns;
        if r.len() <= rows || n == 0 {
            return product(self.block(0, r.len()).transpose(), r, Accum::Add, out);
        }
        let mut partial = vec![0.0; r.len().div_ceil(rows) * n];
        workers.blocks(&mut partial, n, |k, sum| {
            let r = &r[k * rows..((k + 1) * rows).min(r.len())];
            let block = self.block(k * rows, r.len());
            product(block.transpose(), r, Accum::Replace, sum);
        });
        for sum in partial.chunks_exact(n) {
            for (out, sum) in out.iter_mut().zip(sum) {
                *out += sum;
            }
        }
    }
}
