//! The interface between what stores rows and what learns from them.

use super::StreamError;
use ndarray::{ArrayView1, ArrayView2};

/// Rows in a block unless said otherwise.
pub const BLOCK_ROWS: usize = 8192;

/// Rows and labels in blocks, read again as often as asked: larger than memory, or in memory.
///
/// Inputs are f32, scaled already; several passes may run at a time. Every block but the last has the same number of rows, and each
/// begins behind the one before it.
pub trait BlockSource: Sync {
    /// L, over all blocks.
    fn rows(&self) -> usize;

    /// n, the width of the inputs.
    fn width(&self) -> usize;

    /// The blocks of a pass, each of at most a fixed number of rows; block k always holds the same rows in the same
    /// order.
    fn blocks(&self) -> usize;

    /// Gives the blocks `order` names, in this order, to `visit`, which runs on the calling thread. A source of files
    /// reads ahead on a thread of its own.
    ///
    /// # Errors
    /// [`StreamError::Source`] if a block cannot be read; what `visit` returns, at once.
    fn read(
        &self,
        order: &[usize],
        visit: &mut dyn FnMut(Block<'_>) -> Result<(), StreamError>,
    ) -> Result<(), StreamError>;
}

/// Some rows of a source.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// Which block, from 0.
    pub index: usize,
    /// The number of its first row in the whole.
    pub first_row: usize,
    /// The inputs (p × n).
    pub x: ArrayView2<'a, f32>,
    /// The labels (p), −1 or 1.
    pub y: ArrayView1<'a, f32>,
}

impl Block<'_> {
    /// Writes the inputs of the rows `rows`, numbered in the block, into `out`, row after row (n each).
    pub(super) fn gather<T: From<f32>>(&self, rows: impl Iterator<Item = usize>, out: &mut [T]) {
        let n = self.x.ncols();
        let whole = self.x.as_slice();
        for (row, out) in rows.zip(out.chunks_exact_mut(n)) {
            // Slices are copied many values at a time.
            if let Some(whole) = whole {
                for (out, x) in out.iter_mut().zip(&whole[row * n..(row + 1) * n]) {
                    *out = T::from(*x);
                }
            } else {
                for (out, x) in out.iter_mut().zip(self.x.row(row)) {
                    *out = T::from(*x);
                }
            }
        }
    }
}
