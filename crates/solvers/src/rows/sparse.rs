//! Sparse rows: products cost what is stored, not L × n.

use crate::gram::{piece, tile_of};
use crate::linear_system::LinearSystem;
use crate::workers::Workers;
use ndarray::ArrayView1;
use sprs::CsMatView;

/// B (L × n) in compressed sparse rows, columns in increasing order.
pub(crate) struct SparseRows {
    /// Where each row starts in the next two, and where the last one ends (L + 1).
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// n.
    width: usize,
}

impl SparseRows {
    /// As [`super::Rows::new`].
    pub(super) fn new(phi: CsMatView<'_, f64>, signs: ArrayView1<'_, f64>, extra: &[f64]) -> Self {
        let (rows, dim) = phi.shape();
        let more = extra.len() / rows;
        let stored = phi.nnz() + extra.len();
        let mut own = Self {
            starts: Vec::with_capacity(rows + 1),
            columns: Vec::with_capacity(stored),
            values: Vec::with_capacity(stored),
            width: dim + more,
        };
        own.starts.push(0);
        for (i, (row, sign)) in phi.outer_iterator().zip(signs).enumerate() {
            let features = row.iter().map(|(k, φ)| (k, sign * φ));
            let extra = (dim..).zip(extra[i * more..(i + 1) * more].iter().copied());
            for (column, value) in features.chain(extra) {
                own.columns.push(column as u32);
                own.values.push(value);
            }
            own.starts.push(own.values.len());
        }
        own
    }

    /// The columns and values of row `i`.
    fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let own = self.starts[i]..self.starts[i + 1];
        (&self.columns[own.clone()], &self.values[own])
    }

    pub(super) fn mul(&self, x: &[f64], out: &mut [f64], workers: Workers) {
        let rows = piece(out.len());
        workers.blocks(out, rows, |k, out| {
            for (i, out) in (k * rows..).zip(out) {
                let (columns, values) = self.row(i);
                let terms = columns.iter().zip(values);
                *out = terms.map(|(&k, value)| value * x[k as usize]).sum();
            }
        });
    }

    pub(super) fn add_mul_transposed(&self, r: &[f64], out: &mut [f64], workers: Workers) {
        let rows = piece(r.len());
        let n = self.width;
        let mut partial = vec![0.0; r.len().div_ceil(rows) * n];
        workers.blocks(&mut partial, n.max(1), |k, sum| {
            for (i, r) in r.iter().enumerate().skip(k * rows).take(rows) {
                let (columns, values) = self.row(i);
                for (&k, value) in columns.iter().zip(values) {
                    sum[k as usize] += r * value;
                }
            }
        });
        for sum in partial.chunks_exact(n.max(1)) {
            for (out, sum) in out.iter_mut().zip(sum) {
                *out += sum;
            }
        }
    }

    /// The outer products of the rows, each thread those of its own columns.
    pub(super) fn assign_gram(&self, w: &[f64], system: &mut LinearSystem) {
        let (n, workers) = (self.width, system.workers());
        let tile = tile_of(n);
        workers.blocks(&mut system.matrix, tile * n, |k, gram| {
            gram.fill(0.0);
            let first = k * tile;
            let behind = first + gram.len() / n;
            for (i, w) in w.iter().enumerate() {
                let (columns, values) = self.row(i);
                let start = columns.partition_point(|&c| (c as usize) < first);
                for at in start..columns.len() {
                    let column = columns[at] as usize;
                    if column >= behind {
                        break;
                    }
                    let weighted = w * values[at];
                    let gram = &mut gram[(column - first) * n..(column - first + 1) * n];
                    for (&row, value) in columns[at..].iter().zip(&values[at..]) {
                        gram[row as usize] += weighted * value;
                    }
                }
            }
        });
    }
}
