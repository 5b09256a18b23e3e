//! The features of rows in blocks as a matrix that is nowhere: computed anew in every product.

use super::pieces::Pieces;
use super::{Block, BlockFeatures, StreamError, StreamProblem};
use crate::workers::Workers;
use ndarray::{Array1, Array2, ArrayView1, s};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The features Φ (L × D) of a [`StreamProblem`], for the interior-point method.
///
/// A product takes a pass over the source. Where a pass fails, its result is NaN, as are those of all later ones, which
/// read nothing; the solver ends at once, and [`solve_stream`](super::solve_stream) returns the failure.
pub struct StreamSamples<'a> {
    problem: StreamProblem<'a>,
    blocks_read: AtomicUsize,
    failure: Mutex<Option<StreamError>>,
}

impl std::fmt::Debug for StreamSamples<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (rows, dim) = self.dim();
        write!(f, "StreamSamples({rows} × {dim})")
    }
}

impl<'a> StreamSamples<'a> {
    pub(super) fn new(problem: StreamProblem<'a>) -> Self {
        Self {
            problem,
            blocks_read: AtomicUsize::new(0),
            failure: Mutex::new(None),
        }
    }

    /// (L, D).
    pub(crate) fn dim(&self) -> (usize, usize) {
        (self.problem.rows(), self.problem.dim())
    }

    /// The map.
    pub(crate) fn features(&self) -> &'a BlockFeatures {
        self.problem.features()
    }

    /// Gives all blocks to `visit`, in their order; whether it has seen all.
    pub(crate) fn read(&self, visit: &mut dyn FnMut(Block<'_>)) -> bool {
        if self.has_failed() {
            return false;
        }
        let order: Vec<usize> = (0..self.problem.source().blocks()).collect();
        let read = self.problem.read(&order, &mut |block| {
            self.blocks_read.fetch_add(1, Ordering::Relaxed);
            visit(block);
            Ok(())
        });
        match read {
            Ok(()) => true,
            Err(failure) => {
                *self.failed() = Some(failure);
                false
            }
        }
    }

    /// Blocks read in all passes.
    pub(super) fn blocks_read(&self) -> usize {
        self.blocks_read.load(Ordering::Relaxed)
    }

    /// Whether a pass has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed().is_some()
    }

    fn failed(&self) -> MutexGuard<'_, Option<StreamError>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The failure of a pass, if there was one.
    pub(super) fn into_failure(self) -> Option<StreamError> {
        self.failure
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// `Φζ` (L).
    pub(crate) fn scores(&self, zeta: ArrayView1<'_, f64>) -> Array1<f64> {
        let mut scores = Array1::zeros(self.dim().0);
        let mut pieces = Pieces::<1, 1>::new(self.features(), Workers::Caller);
        let zeta = zeta.to_vec();
        let read = self.read(&mut |block| {
            pieces.products(&block, Some(&zeta), None, |piece| {
                for (row, [score]) in piece.scores() {
                    scores[block.first_row + row] = score;
                }
            });
        });
        if !read {
            scores.fill(f64::NAN);
        }
        scores
    }

    /// `Φᵀr` (D).
    pub(crate) fn weighted_sum(&self, r: ArrayView1<'_, f64>) -> Array1<f64> {
        let mut sum = Array1::zeros(self.dim().1);
        let mut pieces = Pieces::<1, 1>::new(self.features(), Workers::Caller);
        let read = self.read(&mut |block| {
            let weights = |row: usize, _: [f64; 1]| [r[block.first_row + row]];
            pieces.products(&block, None, Some(&weights), |piece| {
                for part in piece.sums() {
                    sum += &ArrayView1::from(part);
                }
            });
        });
        if !read {
            sum.fill(f64::NAN);
        }
        sum
    }

    /// Φ.
    pub(crate) fn to_dense(&self) -> Array2<f64> {
        let mut phi = Array2::zeros(self.dim());
        let read = self.read(&mut |block| {
            let rows = block.first_row..block.first_row + block.y.len();
            let x = block.x.mapv(f64::from);
            let out = phi.slice_mut(s![rows, ..]);
            self.features().double_into(x.view(), out);
        });
        if !read {
            phi.fill(f64::NAN);
        }
        phi
    }
}
