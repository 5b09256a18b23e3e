//! Products by the features of a block in double precision, made anew in pieces that stay in the cache.

use super::{Block, BlockFeatures};
use crate::linear_system::product_columns;
use crate::workers::Workers;
use faer::{Accum, MatRef};
use ndarray::{ArrayView2, ArrayViewMut2};
use robust_svm_core::features::BLOCK_ROWS;

/// Rows of a piece, which one thread works on.
const PIECE_ROWS: usize = 8 * BLOCK_ROWS;

/// What gives M weights to a row of a block, from its N scores.
pub(crate) type Weights<'a, const N: usize, const M: usize> =
    dyn Fn(usize, [f64; N]) -> [f64; M] + Sync + 'a;

/// The pieces of a block with N scores and M weights a row, kept from one block to the next.
pub(crate) struct Pieces<'a, const N: usize, const M: usize> {
    features: &'a BlockFeatures,
    workers: Workers,
    of_block: Vec<Piece<N, M>>,
}

/// Some rows of a block, and what became of them.
pub(crate) struct Piece<const N: usize, const M: usize> {
    first: usize,
    rows: usize,
    dim: usize,
    /// Inputs and features of [`BLOCK_ROWS`] rows.
    x: Vec<f64>,
    phi: Vec<f64>,
    /// N columns of scores, and M of weights, of [`BLOCK_ROWS`] rows.
    columns: Vec<f64>,
    weights: Vec<f64>,
    /// The scores of each row.
    scores: Vec<[f64; N]>,
    /// M columns of `Σ w_iφ_i`.
    sums: Vec<f64>,
}

impl<const N: usize, const M: usize> Piece<N, M> {
    fn new(n: usize, dim: usize) -> Self {
        Self {
            first: 0,
            rows: 0,
            dim,
            x: vec![0.0; BLOCK_ROWS * n],
            phi: vec![0.0; BLOCK_ROWS * dim],
            columns: vec![0.0; N * BLOCK_ROWS],
            weights: vec![0.0; M * BLOCK_ROWS],
            scores: vec![[0.0; N]; PIECE_ROWS],
            sums: vec![0.0; M * dim],
        }
    }

    /// The rows, numbered in their block, with their scores.
    pub(crate) fn scores(&self) -> impl Iterator<Item = (usize, [f64; N])> {
        (self.first..).zip(self.scores[..self.rows].iter().copied())
    }

    /// The sums of weighted features.
    pub(crate) fn sums(&self) -> impl Iterator<Item = &[f64]> {
        self.sums.chunks_exact(self.dim)
    }

    fn fill(
        &mut self,
        features: &BlockFeatures,
        block: &Block<'_>,
        zetas: Option<&[f64]>,
        weights: Option<&Weights<'_, N, M>>,
    ) {
        self.sums.fill(0.0);
        for first in (0..self.rows).step_by(BLOCK_ROWS) {
            let rows = (self.rows - first).min(BLOCK_ROWS);
            let place = self.first + first..self.first + first + rows;
            let phi = &mut self.phi[..rows * self.dim];
            features_of(features, block, place.clone(), (&mut self.x, phi));
            let phi = MatRef::from_row_major_slice(phi, rows, self.dim);
            let columns = &mut self.columns[..N * rows];
            match zetas {
                Some(zetas) => product_columns(phi, zetas, Accum::Replace, (columns, N)),
                None => columns.fill(0.0),
            }
            for i in 0..rows {
                self.scores[first + i] = std::array::from_fn(|k| columns[k * rows + i]);
            }
            let Some(weights) = weights else { continue };
            for (i, row) in place.enumerate() {
                let of_row = weights(row, self.scores[first + i]);
                for (k, weight) in of_row.into_iter().enumerate() {
                    self.weights[k * rows + i] = weight;
                }
            }
            let weights = &self.weights[..M * rows];
            product_columns(phi.transpose(), weights, Accum::Add, (&mut self.sums, M));
        }
    }
}

/// The features of the rows `place` of `block` into `phi`, row after row; `x` has room for their inputs.
pub(crate) fn features_of(
    features: &BlockFeatures,
    block: &Block<'_>,
    place: std::ops::Range<usize>,
    (x, phi): (&mut [f64], &mut [f64]),
) {
    let (rows, n) = (place.len(), features.input_dim());
    let x = &mut x[..rows * n];
    block.gather(place, x);
    let x = ArrayView2::from_shape((rows, n), &*x).expect("rows of n");
    let phi = ArrayViewMut2::from_shape((rows, features.dim()), phi).expect("rows of D");
    features.double_into(x, phi);
}

impl<'a, const N: usize, const M: usize> Pieces<'a, N, M> {
    pub(crate) fn new(features: &'a BlockFeatures, workers: Workers) -> Self {
        Self {
            features,
            workers,
            of_block: Vec::new(),
        }
    }

    /// The pieces of `block` in their order, with the scores of its rows with N `zetas` (D each, one after the other; 0
    /// without), and the sums of their features with M `weights` a row (0 without).
    pub(crate) fn products(
        &mut self,
        block: &Block<'_>,
        zetas: Option<&[f64]>,
        weights: Option<&Weights<'_, N, M>>,
    ) -> &[Piece<N, M>] {
        let (features, rows) = (self.features, block.y.len());
        let count = rows.div_ceil(PIECE_ROWS);
        while self.of_block.len() < count {
            let piece = Piece::new(features.input_dim(), features.dim());
            self.of_block.push(piece);
        }
        let pieces = &mut self.of_block[..count];
        self.workers.blocks(pieces, 1, |k, piece| {
            let piece = &mut piece[0];
            piece.first = k * PIECE_ROWS;
            piece.rows = (rows - piece.first).min(PIECE_ROWS);
            piece.fill(features, block, zetas, weights);
        });
        pieces
    }
}
