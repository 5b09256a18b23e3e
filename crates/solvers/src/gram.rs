//! The weighted Gram matrix `Bᵀ diag(w) B` of dense rows, in blocks that stay in cache.
//!
//! A narrow matrix (n ≤ [`NARROW`]) is the sum of those of a fixed number of pieces of its rows, each for one thread; a
//! wider one is made in tiles of columns, each for one thread. Inside, [`BLOCK`] rows at a time are weighted into a copy
//! of their own and multiplied, so no second L × n matrix is in memory.

use crate::workers::Workers;
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{BlockStructure, matmul as triangular_matmul};
use faer::{Accum, MatMut, MatRef, Par};

/// Rows that are weighted and multiplied at a time.
const BLOCK: usize = 256;
/// Up to this n the rows are shared out, above it the columns.
const NARROW: usize = 192;
/// Columns of a tile: narrower ones where there would be too few to share out.
const TILE: usize = 256;
const SMALL_TILE: usize = 128;
const FEW_COLUMNS: usize = 1024;
/// Pieces the rows of a narrow matrix are cut into at most, and rows in a piece at least.
const PIECES: usize = 16;
const SMALLEST_PIECE: usize = 1024;

/// Rows in each of the pieces that `rows` rows are cut into, whatever the number of threads.
pub(crate) fn piece(rows: usize) -> usize {
    rows.div_ceil(PIECES).max(SMALLEST_PIECE)
}

/// The memory of weighted Gram matrices of n columns, kept from one to the next.
#[derive(Default)]
pub(crate) struct WeightedGram {
    /// Gram matrices of the pieces of a narrow matrix.
    partial: Vec<f64>,
    /// Weighted rows, a block for each piece or tile.
    weighted: Vec<f64>,
}

impl WeightedGram {
    /// `gram ← Bᵀ diag(w) B` in the lower half (n², column after column), B (L × n) given row after row, w ≥ 0 (L).
    pub(crate) fn assign(
        &mut self,
        gram: &mut [f64],
        (b, n): (&[f64], usize),
        w: &[f64],
        workers: Workers,
    ) {
        if w.is_empty() || n == 0 {
            gram.fill(0.0);
        } else if n <= NARROW {
            self.by_rows(gram, (b, n), w, workers);
        } else {
            self.by_columns(gram, (b, n), w, workers);
        }
    }

    fn by_rows(&mut self, gram: &mut [f64], (b, n): (&[f64], usize), w: &[f64], workers: Workers) {
        let rows = piece(w.len());
        let pieces = w.len().div_ceil(rows);
        self.partial.resize(pieces * n * n, 0.0);
        self.weighted.resize(pieces * BLOCK * n, 0.0);
        workers.blocks_with(
            (&mut self.partial, n * n),
            (&mut self.weighted, BLOCK * n),
            |k, partial, weighted| {
                let own = k * rows..((k + 1) * rows).min(w.len());
                let b = &b[own.start * n..own.end * n];
                add_tile(partial, (b, n), &w[own], 0, weighted);
            },
        );
        gram.fill(0.0);
        for partial in self.partial.chunks_exact(n * n) {
            for (sum, value) in gram.iter_mut().zip(partial) {
                *sum += value;
            }
        }
    }

    fn by_columns(
        &mut self,
        gram: &mut [f64],
        (b, n): (&[f64], usize),
        w: &[f64],
        workers: Workers,
    ) {
        let tile = tile_of(n);
        self.weighted.resize(n.div_ceil(tile) * BLOCK * tile, 0.0);
        workers.blocks_with(
            (gram, tile * n),
            (&mut self.weighted, BLOCK * tile),
            |k, columns, weighted| add_tile(columns, (b, n), w, k * tile, weighted),
        );
    }
}

/// Columns a thread works on at a time.
pub(crate) fn tile_of(n: usize) -> usize {
    if n <= FEW_COLUMNS { SMALL_TILE } else { TILE }
}

/// Assigns the columns from `first` on of the lower half of `Bᵀ diag(w) B`: as many as `columns` (n each) holds.
fn add_tile(
    columns: &mut [f64],
    (b, n): (&[f64], usize),
    w: &[f64],
    first: usize,
    weighted: &mut [f64],
) {
    let width = columns.len() / n;
    let below = first + width;
    let mut columns = MatMut::from_column_major_slice_mut(columns, n, width);
    let mut accumulate = Accum::Replace;
    for (b, w) in b.chunks(BLOCK * n).zip(w.chunks(BLOCK)) {
        for ((row, out), w) in b
            .chunks_exact(n)
            .zip(weighted.chunks_exact_mut(width))
            .zip(w)
        {
            for (out, b) in out.iter_mut().zip(&row[first..below]) {
                *out = w * b;
            }
        }
        let weighted = MatRef::from_row_major_slice(&weighted[..w.len() * width], w.len(), width);
        let b = MatRef::from_row_major_slice(b, w.len(), n).transpose();
        triangular_matmul(
            columns.as_mut().subrows_mut(first, width),
            BlockStructure::TriangularLower,
            accumulate,
            b.subrows(first, width),
            BlockStructure::Rectangular,
            weighted,
            BlockStructure::Rectangular,
            1.0,
            Par::Seq,
        );
        matmul(
            columns.as_mut().subrows_mut(below, n - below),
            accumulate,
            b.subrows(below, n - below),
            weighted,
            1.0,
            Par::Seq,
        );
        accumulate = Accum::Add;
    }
}
