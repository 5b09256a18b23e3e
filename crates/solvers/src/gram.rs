//! Gram matrices: `ΦΦᵀ` of rows, and the weighted one `Bᵀ diag(w) B` of dense rows in blocks that stay in cache.
//!
//! A narrow matrix (n ≤ [`NARROW`]) is the sum of those of a fixed number of pieces of its rows, each for one thread; a
//! wider one is made in tiles of columns, each for one thread. Inside, [`BLOCK`] rows at a time are weighted into a copy
//! of their own and multiplied, so no second L × n matrix is in memory.

use crate::workers::Workers;
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{BlockStructure, matmul as triangular_matmul};
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::ArrayView2;
use sprs::CsMatView;

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
        self.accumulate((gram, Accum::Replace), (b, n), w, workers);
    }

    /// The same, or `gram += Bᵀ diag(w) B`.
    pub(crate) fn accumulate(
        &mut self,
        (gram, accumulate): (&mut [f64], Accum),
        (b, n): (&[f64], usize),
        w: &[f64],
        workers: Workers,
    ) {
        if w.is_empty() || n == 0 {
            if accumulate == Accum::Replace {
                gram.fill(0.0);
            }
        } else if n <= NARROW {
            self.by_rows((gram, accumulate), (b, n), w, workers);
        } else {
            self.by_columns((gram, accumulate), (b, n), w, workers);
        }
    }

    fn by_rows(
        &mut self,
        (gram, accumulate): (&mut [f64], Accum),
        (b, n): (&[f64], usize),
        w: &[f64],
        workers: Workers,
    ) {
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
                add_tile((partial, Accum::Replace), (b, n), &w[own], 0, weighted);
            },
        );
        if accumulate == Accum::Replace {
            gram.fill(0.0);
        }
        for partial in self.partial.chunks_exact(n * n) {
            for (sum, value) in gram.iter_mut().zip(partial) {
                *sum += value;
            }
        }
    }

    fn by_columns(
        &mut self,
        (gram, accumulate): (&mut [f64], Accum),
        (b, n): (&[f64], usize),
        w: &[f64],
        workers: Workers,
    ) {
        let tile = tile_of(n);
        self.weighted.resize(n.div_ceil(tile) * BLOCK * tile, 0.0);
        workers.blocks_with(
            (gram, tile * n),
            (&mut self.weighted, BLOCK * tile),
            |k, columns, weighted| add_tile((columns, accumulate), (b, n), w, k * tile, weighted),
        );
    }
}

/// Columns a thread works on at a time.
pub(crate) fn tile_of(n: usize) -> usize {
    if n <= FEW_COLUMNS { SMALL_TILE } else { TILE }
}

/// Assigns or adds the columns from `first` on of the lower half of `Bᵀ diag(w) B`: as many as `columns` (n each) holds.
fn add_tile(
    (columns, mut accumulate): (&mut [f64], Accum),
    (b, n): (&[f64], usize),
    w: &[f64],
    first: usize,
    weighted: &mut [f64],
) {
    let width = columns.len() / n;
    let below = first + width;
    let mut columns = MatMut::from_column_major_slice_mut(columns, n, width);
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

/// The lower half of `ΦΦᵀ` (L², column after column).
pub(crate) fn gram_of_rows(phi: ArrayView2<'_, f64>, workers: Workers) -> Vec<f64> {
    let (rows, dim) = phi.dim();
    let phi = phi.as_standard_layout();
    let phi = phi.as_slice().expect("standard layout");
    let phi = MatRef::from_row_major_slice(phi, rows, dim);
    let mut gram = vec![0.0; rows * rows];
    let tile = tile_of(rows);
    workers.blocks(&mut gram, tile * rows, |k, columns| {
        let (first, width) = (k * tile, columns.len() / rows);
        let columns = MatMut::from_column_major_slice_mut(columns, rows, width);
        // What is above the diagonal in the corner is not read.
        matmul(
            columns.subrows_mut(first, rows - first),
            Accum::Replace,
            phi.subrows(first, rows - first),
            phi.subrows(first, width).transpose(),
            1.0,
            Par::Seq,
        );
    });
    gram
}

/// [`gram_of_rows`] of sparse rows, none of which is made dense but the one that a thread multiplies the others with.
pub(crate) fn gram_of_sparse_rows(phi: CsMatView<'_, f64>, workers: Workers) -> Vec<f64> {
    let (rows, dim) = phi.shape();
    let mut gram = vec![0.0; rows * rows];
    let tile = SMALL_TILE;
    workers.blocks(&mut gram, tile * rows, |k, columns| {
        let mut dense = vec![0.0; dim];
        for (i, column) in (k * tile..).zip(columns.chunks_exact_mut(rows)) {
            let own = phi.outer_view(i).expect("a row");
            for (at, value) in own.iter() {
                dense[at] = *value;
            }
            for (row, product) in phi.outer_iterator().zip(column).skip(i) {
                *product = row.iter().map(|(at, value)| value * dense[at]).sum();
            }
            for &at in own.indices() {
                dense[at] = 0.0;
            }
        }
    });
    gram
}

#[cfg(test)]
mod tests {
    use super::{WeightedGram, gram_of_rows, gram_of_sparse_rows};
    use crate::workers::Workers;
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2};
    use sprs::CsMat;

    fn wave(rows: usize, columns: usize) -> Array2<f64> {
        Array2::from_shape_fn((rows, columns), |(i, k)| {
            ((i * 31 + k * 17) as f64 * 0.7).sin()
        })
    }

    /// Against products of whole columns: one piece and several, one tile and several, the last ones shorter.
    #[test]
    fn the_weighted_gram_matrix_is_that_of_the_definition() {
        for (rows, n) in [
            (1, 1),
            (700, 3),
            (2500, 40),
            (300, 193),
            (600, 300),
            (260, 1100),
        ] {
            let b = wave(rows, n);
            let w = Array1::from_shape_fn(rows, |i| 0.1 + (i as f64).cos().abs());
            let expected = (&b * &w.view().insert_axis(ndarray::Axis(1))).t().dot(&b);
            let mut gram = vec![f64::NAN; n * n];
            let b = b.as_slice().unwrap();
            let mut memory = WeightedGram::default();
            memory.assign(&mut gram, (b, n), w.as_slice().unwrap(), Workers::Caller);
            for k in 0..n {
                for j in k..n {
                    let (found, expected) = (gram[k * n + j], expected[(j, k)]);
                    assert_relative_eq!(found, expected, epsilon = 1e-11 * rows as f64);
                }
            }
        }
    }

    #[test]
    fn sparse_rows_have_the_gram_matrix_of_dense_ones() {
        let phi = wave(300, 40).mapv(|v| if v > 0.8 { v } else { 0.0 });
        let sparse = CsMat::csr_from_dense(phi.view(), 0.0);
        let dense = gram_of_rows(phi.view(), Workers::Caller);
        let found = gram_of_sparse_rows(sparse.view(), Workers::Pool);
        let expected = phi.dot(&phi.t());
        for k in 0..300 {
            for j in k..300 {
                assert_relative_eq!(dense[k * 300 + j], expected[(j, k)], epsilon = 1e-13);
                assert_relative_eq!(found[k * 300 + j], expected[(j, k)], epsilon = 1e-13);
            }
        }
    }
}
