//! Products of a table's rows with many columns that stay the same: those are packed once, so that a few rows at a time are as fast as many.

use super::real::Real;
use crate::memory::Lines;
use ndarray::ArrayView2;
use pulp::{Arch, Simd, WithSimd};

/// Vectors side by side in a panel.
const VECTORS: usize = 2;

/// Rows that meet a panel at a time, [`VECTORS`] sums of vectors each: as many as 16 registers hold, and enough not to wait for each other.
const ROWS: usize = 6;

/// The most lanes a vector has, of f32.
const MAX_LANES: usize = 16;

/// Columns in panels of a few neighbours, whose entries of the same place are together in memory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Panels<T> {
    /// Entries of a column, at least 1.
    height: usize,
    /// How many columns there are.
    count: usize,
    /// Columns of a panel; those missing in the last are 0.
    width: usize,
    entries: Lines<T>,
}

impl<T: Real> Panels<T> {
    /// Takes the rows of `columns` for columns.
    ///
    /// # Panics
    /// If they are empty.
    pub(crate) fn new(columns: ArrayView2<'_, T>) -> Self {
        let width = Arch::new().dispatch(Width(std::marker::PhantomData::<T>));
        Self::of_width(columns, width)
    }

    fn of_width(columns: ArrayView2<'_, T>, width: usize) -> Self {
        let (count, height) = columns.dim();
        assert!(height > 0, "columns have entries");
        let mut entries = Lines::zeros(count.next_multiple_of(width) * height);
        for (j, column) in columns.outer_iter().enumerate() {
            let first = j / width * width * height + j % width;
            let places = entries[first..].iter_mut().step_by(width);
            for (entry, value) in places.zip(column) {
                *entry = *value;
            }
        }
        Self {
            height,
            count,
            width,
            entries,
        }
    }

    /// Writes `⟨row i, column j⟩` for the rows of `table`, one after the other, to the place j of the i-th of rows of `stride` numbers,
    /// of which `out` has the last to its end or to the last of the products. Entries are multiplied and added in their order, so that a
    /// product depends on its row and column alone.
    ///
    /// # Panics
    /// If `table` is not whole rows or `out` too short.
    pub(crate) fn multiply(&self, table: &[T], out: &mut [T], stride: usize) {
        assert!(table.len().is_multiple_of(self.height), "whole rows");
        Arch::new().dispatch(Multiply {
            panels: self,
            table,
            out,
            stride,
        });
    }
}

/// How many columns a panel has on this machine.
struct Width<T>(std::marker::PhantomData<T>);

impl<T: Real> WithSimd for Width<T> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        VECTORS * T::lanes::<S>()
    }
}

struct Multiply<'a, T> {
    panels: &'a Panels<T>,
    table: &'a [T],
    out: &'a mut [T],
    stride: usize,
}

impl<T: Real> WithSimd for Multiply<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Panels {
            height,
            count,
            width,
            ..
        } = *self.panels;
        assert_eq!(width, VECTORS * T::lanes::<S>(), "packed for this machine");
        let all = self.table.len() / height;
        let panels = self.panels.entries.chunks_exact(width * height);
        for (first, panel) in (0..count).step_by(width).zip(panels) {
            let (panel, _) = T::split::<S>(panel);
            let (panel, _) = panel.as_chunks::<VECTORS>();
            let columns = width.min(count - first);
            for row in (0..all).step_by(ROWS) {
                let rows = &self.table[row * height..];
                let out = &mut self.out[row * self.stride + first..];
                let out = (out, self.stride, columns);
                match all - row {
                    1 => tile::<S, T, 1>(simd, panel, rows, out),
                    2 => tile::<S, T, 2>(simd, panel, rows, out),
                    3 => tile::<S, T, 3>(simd, panel, rows, out),
                    4 => tile::<S, T, 4>(simd, panel, rows, out),
                    5 => tile::<S, T, 5>(simd, panel, rows, out),
                    _ => tile::<S, T, ROWS>(simd, panel, rows, out),
                }
            }
        }
    }
}

/// The products of the first R of `rows` with the first `columns` of a panel.
#[inline(always)]
fn tile<S: Simd, T: Real, const R: usize>(
    simd: S,
    panel: &[[T::Lanes<S>; VECTORS]],
    rows: &[T],
    (out, stride, columns): (&mut [T], usize, usize),
) {
    let height = panel.len();
    let mut row = [&rows[..0]; R];
    for (i, row) in row.iter_mut().enumerate() {
        *row = &rows[i * height..][..height];
    }
    let mut sums = [[T::splat(simd, T::zero()); VECTORS]; R];
    for (k, entries) in panel.iter().enumerate() {
        for i in 0..R {
            let x = T::splat(simd, row[i][k]);
            for v in 0..VECTORS {
                sums[i][v] = T::mul_add(simd, x, entries[v], sums[i][v]);
            }
        }
    }
    let width = VECTORS * T::lanes::<S>();
    for (i, sums) in sums.into_iter().enumerate() {
        let out = &mut out[i * stride..][..columns];
        if columns == width {
            let (vectors, _) = T::split_mut::<S>(out);
            vectors.copy_from_slice(&sums);
        } else {
            let mut all = [T::zero(); VECTORS * MAX_LANES];
            let (vectors, _) = T::split_mut::<S>(&mut all[..width]);
            vectors.copy_from_slice(&sums);
            out.copy_from_slice(&all[..columns]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::on_each::each_arch;
    use super::{Multiply, Panels, ROWS, Real, Width};
    use ndarray::Array2;
    use proptest::prelude::*;
    use std::marker::PhantomData;

    /// The products, by each kind of vectors.
    fn products<T: Real>(columns: &Array2<T>, table: &[T], stride: usize) -> Vec<Vec<T>> {
        let (count, height) = columns.dim();
        let rows = table.len() / height;
        let on_vectors = each_arch().into_iter().map(|arch| {
            let mut out = vec![T::nearest(-0.5); (rows.max(1) - 1) * stride + count];
            let width = arch.dispatch(Width(PhantomData::<T>));
            arch.dispatch(Multiply {
                panels: &Panels::of_width(columns.view(), width),
                table,
                out: &mut out,
                stride,
            });
            out
        });
        on_vectors.collect()
    }

    proptest! {
        /// Whole numbers, of which products and sums are exact; what is between rows stays.
        #[test]
        fn products_are_those_of_the_definition(
            (rows, height, count) in (0..2 * ROWS + 2, 1..9_usize, 1..40_usize),
            (between, seed) in (0..3_usize, 0..1000_usize),
        ) {
            let number = |k: usize| ((k * 7919 + seed) % 17) as f64 - 8.0;
            let columns = Array2::from_shape_fn((count, height), |(j, k)| number(j * 31 + k));
            let table: Vec<f64> = (0..rows * height).map(|k| number(k + 5)).collect();
            let stride = count + between;
            let narrow = |v: &[f64]| v.iter().map(|v| *v as f32).collect::<Vec<f32>>();
            let single = products(&columns.mapv(|v| v as f32), &narrow(&table), stride);
            for (out, single) in products(&columns, &table, stride).into_iter().zip(single) {
                prop_assert_eq!(&narrow(&out), &single);
                for (place, found) in out.into_iter().enumerate() {
                    let (i, j) = (place / stride, place % stride);
                    let expected = if i < rows && j < count {
                        (0..height).map(|k| table[i * height + k] * columns[(j, k)]).sum()
                    } else {
                        -0.5
                    };
                    prop_assert_eq!(found, expected);
                }
            }
        }

        /// The same bits for a row wherever it is, as the products of one entry after the other.
        #[test]
        fn a_product_depends_on_its_row_alone(
            table in prop::collection::vec(-1.0..1.0_f64, 7 * 9),
            columns in prop::collection::vec(-1.0..1.0_f64, 7 * 21),
        ) {
            let columns = Array2::from_shape_vec((21, 7), columns).unwrap();
            let panels = Panels::new(columns.view());
            let mut all = vec![0.0; 9 * 21];
            panels.multiply(&table, &mut all, 21);
            let on_each = products(&columns, &table, 21);
            // Whatever the number of lanes; one at a time it is without FMA.
            for of_vectors in &on_each[..on_each.len() - 1] {
                prop_assert_eq!(of_vectors, &all);
            }
            for (row, of_all) in table.chunks(7).zip(all.chunks(21)) {
                let mut alone = vec![0.0; 21];
                panels.multiply(row, &mut alone, 21);
                prop_assert_eq!(&alone, of_all);
                for (found, column) in of_all.iter().zip(columns.outer_iter()) {
                    let sum: f64 = row.iter().zip(column).map(|(x, w)| x * w).sum();
                    prop_assert!((found - sum).abs() < 1e-14);
                }
            }
        }
    }
}
