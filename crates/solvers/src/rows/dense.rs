//! Dense rows.

use crate::Samples;
use crate::gram::piece;
use crate::workers::Workers;
use ndarray::ArrayView1;
use robust_svm_core::vector_math::{add_weighted_rows, row_products};

/// Numbers of rows that are used twice, about, and least and most rows; whole fours, which are added together.
const GROUP: usize = 1 << 11;
const LEAST_ROWS: usize = 4;
const MOST_ROWS: usize = 64;

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

    /// `out = B x` (L).
    pub(super) fn mul(&self, x: &[f64], out: &mut [f64], workers: Workers) {
        let rows = piece(out.len());
        workers.blocks(out, rows, |k, out| {
            row_products(self.piece(k * rows, out.len()), [x], singles(out));
        });
    }

    /// `out += Bᵀ r` (n).
    pub(super) fn add_mul_transposed(&self, r: &[f64], out: &mut [f64], workers: Workers) {
        let rows = piece(r.len());
        self.add_pieces((&mut [], rows), out, workers, |first, _, sum| {
            let r = &r[first..r.len().min(first + rows)];
            add_weighted_rows(self.piece(first, r.len()), r, sum);
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
        // Few enough to be in the first cache when they are used again.
        let group = (GROUP / self.columns.max(1)).clamp(LEAST_ROWS, MOST_ROWS);
        let group = group - group % LEAST_ROWS;
        self.add_pieces((out, rows), sum, workers, |first, out, sum| {
            let mut weights = [0.0; MOST_ROWS];
            for (k, out) in out.chunks_mut(group).enumerate() {
                let first = first + k * group;
                let table = self.piece(first, out.len());
                row_products(table, [x], singles(out));
                let weights = &mut weights[..out.len()];
                for ((i, w), score) in (first..).zip(&mut *weights).zip(&*out) {
                    *w = weight(i, *score);
                }
                add_weighted_rows(table, weights, sum);
            }
        });
    }

    /// `rows` rows from `first` on.
    fn piece(&self, first: usize, rows: usize) -> &[f64] {
        &self.values[first * self.columns..(first + rows) * self.columns]
    }

    /// Adds to `out` what `add(first, part, sum)` leaves in the sums of the pieces of `rows` rows, in their order; `parts` is cut into as
    /// many.
    fn add_pieces(
        &self,
        (parts, rows): (&mut [f64], usize),
        out: &mut [f64],
        workers: Workers,
        add: impl Fn(usize, &mut [f64], &mut [f64]) + Sync + Send,
    ) {
        let n = self.columns;
        let pieces = (self.values.len() / n.max(1)).div_ceil(rows);
        let mut sums = vec![0.0; pieces * n];
        workers.pairs((&mut sums, n), (parts, rows), |k, sum, part| {
            add(k * rows, part, sum);
        });
        for sum in sums.chunks_exact(n.max(1)) {
            for (out, sum) in out.iter_mut().zip(sum) {
                *out += sum;
            }
        }
    }
}

/// Each number an array of one.
fn singles(values: &mut [f64]) -> &mut [[f64; 1]] {
    values.as_chunks_mut().0
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
            let dense = DenseRows::new(&Samples::from(phi.view()), signs.view(), &extra);
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
