//! Products by the features of a block in double precision, made anew in pieces that stay in the cache.

use super::{Block, BlockFeatures, StreamProblem};
use crate::linear_system::product_columns;
use crate::workers::Workers;
use faer::{Accum, MatRef};
use ndarray::{ArrayView2, ArrayViewMut2};
use robust_svm_core::features::BLOCK_ROWS;

/// Rows of a piece, which one thread works on.
const PIECE_ROWS: usize = 8 * BLOCK_ROWS;

/// The pieces of a block, kept from one block to the next.
pub(super) struct Pieces<'a> {
    features: &'a dyn BlockFeatures,
    workers: Workers,
    pieces: Vec<Piece>,
}

/// Some rows of a block, and what became of them.
pub(super) struct Piece {
    first: usize,
    rows: usize,
    dim: usize,
    /// Inputs and features of [`BLOCK_ROWS`] rows.
    x: Vec<f64>,
    phi: Vec<f64>,
    /// Two columns of weights of [`BLOCK_ROWS`] rows.
    weights: Vec<f64>,
    /// Two columns of scores of [`BLOCK_ROWS`] rows, one such block after the other.
    scores: Vec<f64>,
    /// Two columns of `Σ w_iφ_i`.
    sums: Vec<f64>,
}

impl Piece {
    fn new(n: usize, dim: usize) -> Self {
        Self {
            first: 0,
            rows: 0,
            dim,
            x: vec![0.0; BLOCK_ROWS * n],
            phi: vec![0.0; BLOCK_ROWS * dim],
            weights: vec![0.0; 2 * BLOCK_ROWS],
            scores: vec![0.0; 2 * PIECE_ROWS],
            sums: vec![0.0; 2 * dim],
        }
    }

    /// The rows, numbered in their block, with their two scores.
    pub(super) fn scores(&self) -> impl Iterator<Item = (usize, [f64; 2])> {
        (0..self.rows).map(|row| {
            let (k, i) = (row / BLOCK_ROWS, row % BLOCK_ROWS);
            let scores = &self.scores[2 * k * BLOCK_ROWS..];
            let rows = (self.rows - k * BLOCK_ROWS).min(BLOCK_ROWS);
            (self.first + row, [scores[i], scores[rows + i]])
        })
    }

    /// The two sums.
    pub(super) fn sums(&self) -> impl Iterator<Item = &[f64]> {
        self.sums.chunks_exact(self.dim)
    }

    fn fill(
        &mut self,
        features: &dyn BlockFeatures,
        block: &Block<'_>,
        columns: &[f64],
        weights: &(impl Fn(usize) -> [f64; 2] + Sync),
    ) {
        self.sums.fill(0.0);
        let (n, dim) = (features.input_dim(), self.dim);
        for k in 0..self.rows.div_ceil(BLOCK_ROWS) {
            let first = self.first + k * BLOCK_ROWS;
            let rows = (self.rows - k * BLOCK_ROWS).min(BLOCK_ROWS);
            let x = &mut self.x[..rows * n];
            for (i, x) in x.chunks_exact_mut(n).enumerate() {
                for (x, from) in x.iter_mut().zip(block.x.row(first + i)) {
                    *x = f64::from(*from);
                }
                let [of_first, of_second] = weights(first + i);
                self.weights[i] = of_first;
                self.weights[rows + i] = of_second;
            }
            let phi = &mut self.phi[..rows * dim];
            let x = ArrayView2::from_shape((rows, n), &*x).expect("rows of n");
            let into = ArrayViewMut2::from_shape((rows, dim), &mut *phi).expect("rows of D");
            features.transform_into(x, into);
            let phi = MatRef::from_row_major_slice(phi, rows, dim);
            let scores = &mut self.scores[2 * k * BLOCK_ROWS..][..2 * rows];
            product_columns(phi, columns, Accum::Replace, (scores, 2));
            let weights = &self.weights[..2 * rows];
            product_columns(phi.transpose(), weights, Accum::Add, (&mut self.sums, 2));
        }
    }
}

impl<'a> Pieces<'a> {
    pub(super) fn new(problem: &StreamProblem<'a>, workers: Workers) -> Self {
        Self {
            features: problem.features(),
            workers,
            pieces: Vec::new(),
        }
    }

    /// The pieces of `block` in their order, with the scores of its rows with two `columns` (2D), and with the sums of their
    /// features with two `weights` a row.
    pub(super) fn products(
        &mut self,
        block: &Block<'_>,
        columns: &[f64],
        weights: &(impl Fn(usize) -> [f64; 2] + Sync),
    ) -> &[Piece] {
        let (features, rows) = (self.features, block.y.len());
        let count = rows.div_ceil(PIECE_ROWS);
        while self.pieces.len() < count {
            let piece = Piece::new(features.input_dim(), features.dim());
            self.pieces.push(piece);
        }
        let pieces = &mut self.pieces[..count];
        self.workers.blocks(pieces, 1, |k, piece| {
            let piece = &mut piece[0];
            piece.first = k * PIECE_ROWS;
            piece.rows = (rows - piece.first).min(PIECE_ROWS);
            piece.fill(features, block, columns, weights);
        });
        pieces
    }
}
