//! Dense rows.

use crate::Samples;
use crate::gram::piece;
use crate::linear_system::product;
use crate::workers::Workers;
use faer::{Accum, MatRef};
use ndarray::ArrayView1;
use robust_svm_core::memory;
use robust_svm_core::vector_math::add_weighted_rows;

/// Numbers in a group of rows, which are used twice while they are in a near cache.
const GROUP: usize = 1 << 11;
/// Rows of a group at least, which are added together, and at most.
const LEAST_ROWS: usize = 4;
const MOST_ROWS: usize = 64;

/// B (L × n), row after row.
pub(crate) struct DenseRows {
    values: Vec<f64>,
    columns: usize,
}

impl DenseRows {
    /// As [`super::Rows::new`].
    pub(super) fn new(
        samples: &Samples<'_>,
        signs: ArrayView1<'_, f64>,
        extra: &[f64],
        workers: Workers,
    ) -> Self {
        let (rows, dim) = samples.dim();
        let more = extra.len() / rows;
        let columns = dim + more;
        let phi = samples.to_dense();
        let (mut values, _) = memory::zeros((rows, columns)).into_raw_vec_and_offset();
        let piece = piece(rows);
        workers.blocks(&mut values, piece * columns, |k, values| {
            for (own, i) in values.chunks_exact_mut(columns).zip(k * piece..) {
                let (features, others) = own.split_at_mut(dim);
                for (value, φ) in features.iter_mut().zip(phi.row(i)) {
                    *value = signs[i] * φ;
                }
                others.copy_from_slice(&extra[i * more..(i + 1) * more]);
            }
        });
        Self { values, columns }
    }

    /// B, row after row.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// `out = B x` (L).
    pub(super) fn mul(&self, x: &[f64], out: &mut [f64], workers: Workers) {
        let rows = piece(out.len());
        workers.blocks(out, rows, |k, out| {
            product(self.block(k * rows, out.len()), x, Accum::Replace, out);
        });
    }

    /// `out += Bᵀ r` (n).
    pub(super) fn add_mul_transposed(&self, r: &[f64], out: &mut [f64], workers: Workers) {
        let rows = piece(r.len());
        self.add_pieces((&mut [], rows), out, workers, |first, _, sum| {
            let r = &r[first..r.len().min(first + rows)];
            add_weighted_rows(self.rows(first, r.len()), r, sum);
        });
    }

    /// `out = B x` (L), and `sum += Σ_i weight(i, out_i) · row i` (n) in the same pass: rows are read from memory once.
    pub(super) fn mul_and_add(
        &self,
        (x, out): (&[f64], &mut [f64]),
        weight: impl Fn(usize, f64) -> f64 + Sync,
        sum: &mut [f64],
        workers: Workers,
    ) {
        let rows = piece(out.len());
        let group = (GROUP / self.columns.max(1)).clamp(LEAST_ROWS, MOST_ROWS);
        let group = group - group % LEAST_ROWS;
        self.add_pieces((out, rows), sum, workers, |first, out, sum| {
            let mut weights = [0.0; MOST_ROWS];
            for (k, out) in out.chunks_mut(group).enumerate() {
                let first = first + k * group;
                product(self.block(first, out.len()), x, Accum::Replace, out);
                let weights = &mut weights[..out.len()];
                for ((i, w), score) in (first..).zip(&mut *weights).zip(&*out) {
                    *w = weight(i, *score);
                }
                add_weighted_rows(self.rows(first, out.len()), weights, sum);
            }
        });
    }

    /// `count` rows from `first` on, row after row.
    fn rows(&self, first: usize, count: usize) -> &[f64] {
        &self.values[first * self.columns..(first + count) * self.columns]
    }

    /// The same as a matrix.
    fn block(&self, first: usize, count: usize) -> MatRef<'_, f64> {
        MatRef::from_row_major_slice(self.rows(first, count), count, self.columns)
    }

    /// `add(first, part, sum)` adds the piece of `rows` rows from `first` on to `sum`; `parts` is cut into as many. Where there is more than one piece,
    /// their sums are added to `out` in their order.
    fn add_pieces(
        &self,
        (parts, rows): (&mut [f64], usize),
        out: &mut [f64],
        workers: Workers,
        add: impl Fn(usize, &mut [f64], &mut [f64]) + Sync + Send,
    ) {
        let n = self.columns;
        let pieces = (self.values.len() / n.max(1)).div_ceil(rows);
        if pieces <= 1 {
            return add(0, parts, out);
        }
        let mut sums = vec![0.0; pieces * n];
        workers.pairs((&mut sums, n), (parts, rows), |k, sum, part| {
            add(k * rows, part, sum);
        });
        for sum in sums.chunks_exact(n) {
            for (out, sum) in out.iter_mut().zip(sum) {
                *out += sum;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DenseRows;
    use crate::Samples;
    use crate::workers::Workers;
    use ndarray::{Array1, Array2};

    /// Whole numbers, of which products and sums are exact: one piece and several, groups of fours and what is left of them.
    #[test]
    fn products_are_those_of_the_definition() {
        for (rows, dim) in [(1, 1), (50, 3), (2500, 50), (3001, 70), (1030, 600)] {
            let number = |k: usize| ((k * 7919) % 17) as f64 - 8.0;
            let phi = Array2::from_shape_fn((rows, dim), |(i, k)| number(i * 31 + k));
            let signs = Array1::from_shape_fn(rows, |i| if i % 3 == 0 { -1.0 } else { 1.0 });
            let extra: Vec<f64> = (0..rows).map(|i| number(i + 7)).collect();
            let dense = Samples::from(phi.view());
            let dense = DenseRows::new(&dense, signs.view(), &extra, Workers::Pool);
            let x: Vec<f64> = (0..=dim).map(number).collect();
            let row = |i: usize| {
                let own = phi.row(i).mapv(|φ| signs[i] * φ);
                own.into_iter().chain([extra[i]])
            };
            let expected: Vec<f64> = (0..rows)
                .map(|i| row(i).zip(&x).map(|(b, x)| b * x).sum())
                .collect();
            let weight = |i: usize, product: f64| number(i + 3) + product;
            let sums_of = |weight: &dyn Fn(usize) -> f64| {
                let mut sums: Vec<f64> = (0..=dim).map(|k| number(k + 1)).collect();
                for i in 0..rows {
                    for (sum, b) in sums.iter_mut().zip(row(i)) {
                        *sum += weight(i) * b;
                    }
                }
                sums
            };
            let before = || (0..=dim).map(|k| number(k + 1)).collect::<Vec<f64>>();
            for workers in [Workers::Caller, Workers::Pool] {
                let mut out = vec![f64::NAN; rows];
                dense.mul(&x, &mut out, workers);
                assert_eq!(out, expected);
                let r: Vec<f64> = (0..rows).map(|i| number(i + 3)).collect();
                let mut sum = before();
                dense.add_mul_transposed(&r, &mut sum, workers);
                assert_eq!(sum, sums_of(&|i| r[i]));
                let (mut out, mut sum) = (vec![f64::NAN; rows], before());
                dense.mul_and_add((&x, &mut out), weight, &mut sum, workers);
                assert_eq!(out, expected);
                assert_eq!(sum, sums_of(&|i| weight(i, expected[i])));
            }
        }
    }
}
