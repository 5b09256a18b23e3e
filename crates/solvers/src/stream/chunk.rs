//! The features of some rows of a block, made ready for the steps.

use super::batch::BatchRows;
use super::{Block, BlockFeatures};
use crate::workers::Workers;
use ndarray::{ArrayView2, ArrayViewMut2};
use robust_svm_core::features::BLOCK_ROWS;
use std::ops::Range;

/// Rows that features are made of at a time, about: enough to share out, few enough for features to stay in the cache
/// until the steps take them.
pub(super) const CHUNK_ROWS: usize = 512;

/// The features of some rows, in the order of the steps.
pub(super) struct Chunk {
    /// Features (p × D), row after row.
    pub(super) phi: Vec<f32>,
    /// Labels (p).
    pub(super) y: Vec<f32>,
    /// Numbers of the rows in the whole (p).
    pub(super) rows: Vec<usize>,
    /// Room for the inputs of the rows whose features are being made.
    x: Vec<f32>,
}

impl Chunk {
    /// Without rows.
    pub(super) fn empty() -> Self {
        Self {
            phi: Vec::new(),
            y: Vec::new(),
            rows: Vec::new(),
            x: Vec::new(),
        }
    }

    /// Takes the rows `order` of `block`. Features are made of a fixed number of rows at a time, whoever makes them.
    pub(super) fn fill(
        &mut self,
        features: &BlockFeatures,
        block: &Block<'_>,
        order: &[u32],
        workers: Workers,
    ) {
        let (n, dim) = (features.input_dim(), features.dim());
        self.y.clear();
        self.y.extend(order.iter().map(|i| block.y[*i as usize]));
        self.rows.clear();
        let rows = order.iter().map(|i| block.first_row + *i as usize);
        self.rows.extend(rows);
        // The memory grows with the first chunks only.
        self.phi.resize(order.len() * dim, 0.0);
        let room = order.len().next_multiple_of(BLOCK_ROWS) * n;
        self.x.resize(room.max(self.x.len()), 0.0);
        let pieces = (&mut self.phi[..], BLOCK_ROWS * dim);
        workers.blocks_with(pieces, (&mut self.x, BLOCK_ROWS * n), |k, phi, x| {
            let order = &order[k * BLOCK_ROWS..];
            let order = &order[..order.len().min(BLOCK_ROWS)];
            let x = &mut x[..order.len() * n];
            block.gather(order.iter().map(|i| *i as usize), x);
            let x = ArrayView2::from_shape((order.len(), n), &*x).expect("rows of n");
            let phi = ArrayViewMut2::from_shape((order.len(), dim), phi).expect("rows of D");
            features.single_into(x, phi);
        });
    }

    /// Some of the rows.
    pub(super) fn rows(&self, own: Range<usize>) -> BatchRows<'_> {
        let dim = self.phi.len() / self.y.len();
        BatchRows {
            phi: &self.phi[own.start * dim..own.end * dim],
            y: &self.y[own.clone()],
            rows: &self.rows[own],
        }
    }
}
