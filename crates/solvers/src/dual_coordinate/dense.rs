//! Dense rows, several values at a time.

use super::rows::Rows;
use crate::linear_system::LinearSystem;
use pulp::Simd;

/// Rows of a dense matrix, one behind the other.
pub(super) struct DenseRows<'a> {
    values: &'a [f64],
    rows: usize,
    dim: usize,
}

impl<'a> DenseRows<'a> {
    /// `values` (rows × dim), row after row.
    pub(super) fn new(values: &'a [f64], (rows, dim): (usize, usize)) -> Self {
        Self { values, rows, dim }
    }

    #[inline(always)]
    fn row(&self, i: usize) -> &'a [f64] {
        &self.values[i * self.dim..(i + 1) * self.dim]
    }
}

impl Rows for DenseRows<'_> {
    fn len(&self) -> usize {
        self.rows
    }

    fn dim(&self) -> usize {
        self.dim
    }

    #[inline(always)]
    fn entries(&self, _: usize) -> usize {
        self.dim
    }

    #[inline(always)]
    fn dot<S: Simd>(&self, simd: S, i: usize, x: &[f64]) -> f64 {
        let (row, last_row) = S::as_simd_f64s(self.row(i));
        let (x, last_x) = S::as_simd_f64s(x);
        // Four sums hide the latency of the additions.
        let mut sums = [simd.splat_f64s(0.0); 4];
        let (row, row_rest) = row.as_chunks::<4>();
        let (x, x_rest) = x.as_chunks::<4>();
        for (row, x) in row.iter().zip(x) {
            for ((sum, &row), &x) in sums.iter_mut().zip(row).zip(x) {
                *sum = simd.mul_add_e_f64s(row, x, *sum);
            }
        }
        for ((sum, &row), &x) in sums.iter_mut().zip(row_rest).zip(x_rest) {
            *sum = simd.mul_add_e_f64s(row, x, *sum);
        }
        let sum = simd.add_f64s(
            simd.add_f64s(sums[0], sums[1]),
            simd.add_f64s(sums[2], sums[3]),
        );
        let last: f64 = last_row.iter().zip(last_x).map(|(row, x)| row * x).sum();
        simd.reduce_sum_f64s(sum) + last
    }

    #[inline(always)]
    fn add<S: Simd>(&self, simd: S, factor: f64, i: usize, x: &mut [f64]) {
        let (row, last_row) = S::as_simd_f64s(self.row(i));
        let (x, last_x) = S::as_mut_simd_f64s(x);
        let factors = simd.splat_f64s(factor);
        for (x, &row) in x.iter_mut().zip(row) {
            *x = simd.mul_add_e_f64s(factors, row, *x);
        }
        for (x, row) in last_x.iter_mut().zip(last_row) {
            *x += factor * row;
        }
    }

    fn square(&self, i: usize) -> f64 {
        self.row(i).iter().map(|v| v * v).sum()
    }

    fn assign_gram(&self, chosen: &[u32], with_one: bool, system: &mut LinearSystem) {
        let mut copy = Vec::with_capacity(chosen.len() * (self.dim + 1));
        for &i in chosen {
            copy.extend_from_slice(self.row(i as usize));
            if with_one {
                copy.push(1.0);
            }
        }
        system.assign_gram(&copy);
    }

    fn gram_cost(&self) -> f64 {
        // Half of a symmetric matrix, by products that are about four times as fast as passes.
        (self.dim * self.dim) as f64 / 8.0
    }
}
