//! Products by the features of a block in double precision, made anew in pieces that stay in the cache.

use super::ahead::Ahead;
use super::piece::GROUP_ROWS;
use super::{Block, BlockFeatures};
use crate::workers::Workers;
use ndarray::{ArrayView2, ArrayViewMut2};
use robust_svm_core::features::BLOCK_ROWS;
use robust_svm_core::memory::Lines;
use robust_svm_core::vector_math::{add_weighted_rows, row_products};

/// Rows of a piece, which one thread works on.
const PIECE_ROWS: usize = 8 * BLOCK_ROWS;

/// What gives M weights to a row of a block, from its N scores.
pub(crate) type Weights<'a, const N: usize, const M: usize> =
    dyn Fn(usize, [f64; N]) -> [f64; M] + Sync + 'a;

/// The pieces of a block with N scores and M weights a row, kept from one block to the next.
pub(crate) struct Pieces<'a, const N: usize, const M: usize> {
    features: &'a BlockFeatures,
    workers: Workers,
    ahead: Ahead<Piece<N, M>>,
}

/// Some rows of a block, and what became of them.
pub(crate) struct Piece<const N: usize, const M: usize> {
    first: usize,
    rows: usize,
    dim: usize,
    /// Inputs and features of [`BLOCK_ROWS`] rows.
    x: Vec<f64>,
    phi: Lines<f64>,
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
            phi: Lines::zeros(BLOCK_ROWS * dim),
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
        if zetas.is_none() {
            self.scores.fill([0.0; N]);
        }
        for first in (0..self.rows).step_by(BLOCK_ROWS) {
            let rows = (self.rows - first).min(BLOCK_ROWS);
            let place = self.first + first..self.first + first + rows;
            let phi = &mut self.phi[..rows * self.dim];
            features_of(features, block, place, (&mut self.x, phi));
            for start in (0..rows).step_by(GROUP_ROWS) {
                let group = start..rows.min(start + GROUP_ROWS);
                let phi = &phi[group.start * self.dim..group.end * self.dim];
                let own = first + group.start..first + group.end;
                let scores = &mut self.scores[own.clone()];
                if let Some(zetas) = zetas {
                    let zetas = std::array::from_fn(|k| &zetas[k * self.dim..(k + 1) * self.dim]);
                    row_products(phi, zetas, scores);
                }
                let Some(weights) = weights else { continue };
                let mut columns = [[0.0; GROUP_ROWS]; M];
                for (i, (row, scores)) in own.zip(scores).enumerate() {
                    let of_row = weights(self.first + row, *scores);
                    for (column, weight) in columns.iter_mut().zip(of_row) {
                        column[i] = weight;
                    }
                }
                let sums = self.sums.chunks_exact_mut(self.dim);
                for (weights, sums) in columns.iter().zip(sums) {
                    add_weighted_rows(phi, &weights[..group.len()], sums);
                }
            }
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
            ahead: Ahead::new(),
        }
    }

    /// Gives the pieces of `block` to `visit`, in their order, with the scores of its rows with N `zetas` (D each, one after the other; 0
    /// without), and the sums of their features with M `weights` a row (0 without).
    pub(crate) fn products(
        &mut self,
        block: &Block<'_>,
        zetas: Option<&[f64]>,
        weights: Option<&Weights<'_, N, M>>,
        mut visit: impl FnMut(&Piece<N, M>) + Send,
    ) {
        let (features, rows) = (self.features, block.y.len());
        let who = (self.workers, rows.div_ceil(PIECE_ROWS));
        let new = || Piece::new(features.input_dim(), features.dim());
        let make = |k: usize, piece: &mut Piece<N, M>| {
            piece.first = k * PIECE_ROWS;
            piece.rows = (rows - piece.first).min(PIECE_ROWS);
            piece.fill(features, block, zetas, weights);
        };
        self.ahead
            .each_piece(who, new, make, |_, piece| visit(piece));
    }
}
