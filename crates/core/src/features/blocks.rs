//! Features of many rows in blocks, cut in the same way whoever works on them.

use crate::vector_math::Real;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

/// Rows of a block: few enough for features to stay in the cache, enough for a product to run at full speed.
pub const BLOCK_ROWS: usize = 64;

/// `visit` with the first row and the `dim` features that `transform` writes of each block of rows of `x`, in order.
pub(super) fn for_each<T: Real>(
    x: ArrayView2<'_, T>,
    dim: usize,
    transform: impl Fn(ArrayView2<'_, T>, ArrayViewMut2<'_, T>),
    visit: &mut dyn FnMut(usize, ArrayView2<'_, T>),
) {
    let mut features = Array2::zeros((BLOCK_ROWS.min(x.nrows()), dim));
    for (block, x) in x.axis_chunks_iter(Axis(0), BLOCK_ROWS).enumerate() {
        let mut features = features.slice_mut(s![..x.nrows(), ..]);
        transform(x, features.view_mut());
        visit(block * BLOCK_ROWS, features.view());
    }
}
