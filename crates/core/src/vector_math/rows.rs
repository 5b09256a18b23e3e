//! Products of a table's rows with few columns, a row at a time. General products pack their factors first, which costs as much as
//! such a product itself.

use super::narrow::dispatch_narrow;
use super::real::Real;
use pulp::{Simd, WithSimd};

/// Vectors of sums of each product: enough not to wait for each other.
const SUMS: usize = 4;

/// Rows that are added at a time, so that sums are loaded and stored once for all of them.
const TOGETHER: usize = 4;

/// `out[i][k] = ⟨row i, columns[k]⟩` for the rows of `table`.
///
/// # Panics
/// If the columns differ in length, or `table` is not a row of that length for each of `out`.
pub fn row_products<T: Real, const N: usize>(table: &[T], columns: [&[T]; N], out: &mut [[T; N]]) {
    let width = columns.first().map_or(0, |column| column.len());
    assert!(columns.iter().all(|column| column.len() == width));
    assert_eq!(table.len(), out.len() * width, "a row for each of out");
    dispatch_narrow(Products {
        table,
        columns,
        out,
    });
}

/// `out ← out + Σ_i weights[i] · row i` for the rows of `table`, in their order, each product rounded together with its sum where the machine can.
/// Rows of weight 0 are left out, whatever they hold.
///
/// # Panics
/// If `table` is not a row as long as `out` for each weight.
pub fn add_weighted_rows<T: Real>(table: &[T], weights: &[T], out: &mut [T]) {
    assert_eq!(table.len(), weights.len() * out.len(), "a row a weight");
    dispatch_narrow(WeightedSum {
        table,
        weights,
        out,
    });
}

struct Products<'a, T, const N: usize> {
    table: &'a [T],
    columns: [&'a [T]; N],
    out: &'a mut [[T; N]],
}

impl<T: Real, const N: usize> WithSimd for Products<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let width = self.columns.first().map_or(0, |column| column.len());
        if width == 0 {
            self.out.fill([T::zero(); N]);
            return;
        }
        for (row, out) in self.table.chunks_exact(width).zip(self.out) {
            for (out, column) in out.iter_mut().zip(self.columns) {
                *out = dot(simd, row, column);
            }
        }
    }
}

#[inline(always)]
fn dot<S: Simd, T: Real>(simd: S, a: &[T], b: &[T]) -> T {
    let ((a, a_last), (b, b_last)) = (T::split::<S>(a), T::split::<S>(b));
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<SUMS>(), b.as_chunks::<SUMS>());
    let mut sums = [T::splat(simd, T::zero()); SUMS];
    for (a, b) in a.iter().zip(b) {
        for k in 0..SUMS {
            sums[k] = T::mul_add(simd, a[k], b[k], sums[k]);
        }
    }
    let [mut sum, second, third, fourth] = sums;
    for (a, b) in a_rest.iter().zip(b_rest) {
        sum = T::mul_add(simd, *a, *b, sum);
    }
    if !a_last.is_empty() {
        sum = T::mul_add(simd, T::load(simd, a_last), T::load(simd, b_last), sum);
    }
    let (even, odd) = (T::plus(simd, sum, third), T::plus(simd, second, fourth));
    T::total(simd, T::plus(simd, even, odd))
}

struct WeightedSum<'a, T> {
    table: &'a [T],
    weights: &'a [T],
    out: &'a mut [T],
}

impl<T: Real> WithSimd for WeightedSum<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let width = self.out.len();
        let row = |i: usize| &self.table[i * width..][..width];
        // Rows that count, until there are as many as are added together.
        let (mut waiting, mut count) = ([(0, T::zero()); TOGETHER], 0);
        for (i, &weight) in self.weights.iter().enumerate() {
            if weight != T::zero() {
                waiting[count] = (i, weight);
                count += 1;
            }
            if count == TOGETHER {
                let rows = [0, 1, 2, 3].map(|k| row(waiting[k].0));
                add_together(simd, waiting.map(|(_, weight)| weight), rows, self.out);
                count = 0;
            }
        }
        for &(i, weight) in &waiting[..count] {
            add_together(simd, [weight], [row(i)], self.out);
        }
    }
}

/// `out ← out + Σ_k weights[k] · rows[k]`: to the bit what one row after the other gives, each product rounded together with its sum.
#[inline(always)]
fn add_together<S: Simd, T: Real, const N: usize>(
    simd: S,
    weights: [T; N],
    rows: [&[T]; N],
    out: &mut [T],
) {
    let (sums, last_sum) = T::split_mut::<S>(out);
    let mut factors = [T::splat(simd, T::zero()); N];
    let empty = T::split::<S>(&[]);
    let (mut vectors, mut last) = ([empty.0; N], [empty.1; N]);
    for k in 0..N {
        factors[k] = T::splat(simd, weights[k]);
        let (own, rest) = T::split::<S>(rows[k]);
        (vectors[k], last[k]) = (&own[..sums.len()], rest);
    }
    for (j, out) in sums.iter_mut().enumerate() {
        let mut sum = *out;
        for k in 0..N {
            sum = T::mul_add(simd, factors[k], vectors[k][j], sum);
        }
        *out = sum;
    }
    if !last_sum.is_empty() {
        let mut sum = T::load(simd, last_sum);
        for k in 0..N {
            sum = T::mul_add(simd, factors[k], T::load(simd, last[k]), sum);
        }
        T::store(simd, last_sum, sum);
    }
}

#[cfg(test)]
mod tests {
    use super::super::on_each::each_arch;
    use super::{Products, WeightedSum, add_weighted_rows, row_products};
    use crate::vector_math::Real;
    use proptest::prelude::*;

    /// As [`super::row_products`] and [`add_weighted_rows`], on each kind of vectors.
    fn products_and_sums<T: Real, const N: usize>(
        (table, columns): (&[T], [&[T]; N]),
        (weights, begin): (&[T], &[T]),
    ) -> Vec<(Vec<[T; N]>, Vec<T>)> {
        let on_vectors = each_arch().into_iter().map(|arch| {
            let mut products = vec![[T::nearest(f64::NAN); N]; weights.len()];
            arch.dispatch(Products {
                table,
                columns,
                out: &mut products,
            });
            let mut sum = begin.to_vec();
            arch.dispatch(WeightedSum {
                table,
                weights,
                out: &mut sum,
            });
            (products, sum)
        });
        on_vectors.collect()
    }

    proptest! {
        /// Whole numbers, of which sums and products are exact, whatever the width.
        #[test]
        fn products_and_sums_are_those_of_the_definition(
            (rows, width) in (0..11_usize, 0..150_usize),
            seed in 0..1000_usize,
        ) {
            let number = |k: usize| ((k * 7919 + seed) % 17) as f64 - 8.0;
            let table: Vec<f64> = (0..rows * width).map(number).collect();
            let columns: [Vec<f64>; 3] = std::array::from_fn(|k| (0..width).map(|j| number(j + 31 * k)).collect());
            let weights: Vec<f64> = (0..rows).map(|i| number(i + 5)).collect();
            let begin: Vec<f64> = (0..width).map(|j| number(3 * j)).collect();
            let expected: Vec<f64> = (0..width)
                .map(|j| begin[j] + (0..rows).map(|i| weights[i] * table[i * width + j]).sum::<f64>())
                .collect();
            let three = [&columns[0][..], &columns[1], &columns[2]];
            for (out, sum) in products_and_sums((&table, three), (&weights, &begin)) {
                for i in 0..rows {
                    for k in 0..3 {
                        let expected: f64 = (0..width).map(|j| table[i * width + j] * columns[k][j]).sum();
                        prop_assert_eq!(out[i][k], expected);
                    }
                }
                prop_assert_eq!(&sum, &expected);
            }
            let narrow = |v: &[f64]| -> Vec<f32> { v.iter().map(|v| *v as f32).collect() };
            let (table, column) = (narrow(&table), narrow(&columns[0]));
            for (out, sum) in products_and_sums((&table, [&column]), (&narrow(&weights), &narrow(&begin))) {
                for (i, [out]) in out.into_iter().enumerate() {
                    let expected: f32 = (0..width).map(|j| table[i * width + j] * column[j]).sum();
                    prop_assert_eq!(out, expected);
                }
                prop_assert_eq!(sum, narrow(&expected));
            }
        }
    }

    proptest! {
        /// Where there is AVX-512, products of any numbers have the bits of AVX2: of longer vectors they would be others.
        #[test]
        #[cfg(target_arch = "x86_64")]
        fn products_are_those_of_256_bits(
            (rows, width) in (1..11_usize, 1..70_usize),
            numbers in prop::collection::vec(-1.0..1.0_f64, 12 * 70),
        ) {
            let Some(avx2) = pulp::x86::V3::try_new() else { return Ok(()) };
            let (column, table) = numbers.split_at(width);
            let table = &table[..rows * width];
            let [mut out, mut narrow] = [(); 2].map(|()| vec![[0.0]; rows]);
            row_products(table, [column], &mut out);
            let (columns, all) = ([column], &mut narrow);
            pulp::Arch::V3(avx2).dispatch(Products { table, columns, out: all });
            prop_assert_eq!(out, narrow);
        }
    }

    #[test]
    fn rows_without_weight_are_not_looked_at() {
        let mut sum = [1.0, 2.0];
        add_weighted_rows(&[f64::NAN, f64::NAN, 3.0, 4.0], &[0.0, 2.0], &mut sum);
        assert_eq!(sum, [7.0, 10.0]);
    }
}
