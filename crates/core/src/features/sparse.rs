//! Products of sparse rows with dense ones.

use crate::vector_math::{Real, combine_rows};
use ndarray::ArrayView2;
use sprs::{CsMat, CsMatView};
use std::ops::Range;

/// The products `X Zᵀ` of a sparse X (p × n) and a dense Z (r × n), some rows at a time.
pub(super) struct RowProducts<'a, T> {
    x: CsMatView<'a, T>,
    /// X by rows, if it came by columns.
    by_rows: Option<CsMat<T>>,
    /// Zᵀ, its rows one after the other.
    columns: Vec<T>,
    /// r.
    width: usize,
}

impl<'a, T: Real> RowProducts<'a, T> {
    /// Lays out Zᵀ, and X by rows if it is by columns.
    ///
    /// # Panics
    /// If the widths differ.
    pub(super) fn new(x: CsMatView<'a, T>, z: ArrayView2<'_, T>) -> Self {
        assert_eq!(x.cols(), z.ncols(), "rows as wide as each other");
        Self {
            x,
            by_rows: x.is_csc().then(|| x.to_other_storage()),
            columns: z.t().iter().copied().collect(),
            width: z.nrows(),
        }
    }

    fn row(&self, row: usize) -> (&[usize], &[T]) {
        let (starts, indices, values) = match &self.by_rows {
            Some(x) => (x.indptr(), x.indices(), x.data()),
            None => (self.x.indptr(), self.x.indices(), self.x.data()),
        };
        let row = starts.outer_inds_sz(row);
        (&indices[row.clone()], &values[row])
    }

    /// The products of some rows, at the beginnings of rows of `out` that are `stride` long, the last one at least r.
    ///
    /// # Panics
    /// If there are no such rows, or `out` is too short.
    pub(super) fn write(&self, rows: Range<usize>, out: &mut [T], stride: usize) {
        for (k, row) in rows.enumerate() {
            let (indices, values) = self.row(row);
            combine_rows(
                indices,
                values,
                &self.columns,
                &mut out[k * stride..][..self.width],
            );
        }
    }

    /// `‖x_i‖²`.
    pub(super) fn squared_norm(&self, row: usize) -> T {
        let squares = self.row(row).1.iter().map(|&value| value * value);
        squares.fold(T::zero(), |sum, square| sum + square)
    }
}
