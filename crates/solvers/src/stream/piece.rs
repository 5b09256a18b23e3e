//! Some rows of a mini-batch, from their inputs to the sums of active losses.

use super::{Block, BlockFeatures, StreamProblem};
use ndarray::{ArrayView2, ArrayViewMut2};
use robust_svm_core::features::BLOCK_ROWS;
use robust_svm_core::memory::Lines;
use robust_svm_core::vector_math::{add_weighted_rows, row_products};
use std::ops::Range;

/// Rows of a piece: few enough for their features to stay in the cache from one use to the next.
pub(super) const PIECE_ROWS: usize = BLOCK_ROWS;

/// Rows whose features are used twice, for a score and for a sum, while they are near.
pub(super) const GROUP_ROWS: usize = 8;

/// Where losses are evaluated.
pub(super) struct Point<'a> {
    /// ζ in single precision (D).
    pub(super) zeta: &'a [f32],
    pub(super) intercept: f64,
    /// `‖Aζ‖₂`.
    pub(super) norm: f64,
}

/// At most [`PIECE_ROWS`] rows. Pairs are of the negative and of the positive class.
pub(super) struct Piece {
    /// Its rows, as places in the order of the block's.
    pub(super) place: Range<usize>,
    /// Inputs and features, row after row.
    x: Vec<f32>,
    phi: Lines<f32>,
    /// `Σ y_iφ_i` of active losses (D each).
    sums: [Vec<f32>; 2],
    /// Numbers of the active rows in the whole.
    pub(super) active_rows: Vec<usize>,
    /// How many there are of each class, and the sum of their Γ_i.
    pub(super) active: [f64; 2],
    pub(super) radius: [f64; 2],
    /// The sum of their y_i.
    pub(super) balance: f64,
    /// The sum of losses, not finite where a score is not.
    pub(super) loss: f64,
}

impl Piece {
    /// For rows of n inputs and D features.
    pub(super) fn new(n: usize, dim: usize) -> Self {
        Self {
            place: 0..0,
            x: vec![0.0; PIECE_ROWS * n],
            phi: Lines::zeros(PIECE_ROWS * dim),
            sums: [0, 1].map(|_| vec![0.0; dim]),
            active_rows: Vec::with_capacity(PIECE_ROWS),
            active: [0.0; 2],
            radius: [0.0; 2],
            balance: 0.0,
            loss: 0.0,
        }
    }

    /// `Σ y_iφ_i` of the active losses of a class (D).
    pub(super) fn weighted(&self, class: usize) -> &[f32] {
        &self.sums[class]
    }

    /// Takes the rows at `place`, of `block` in this `order`, and makes their features.
    pub(super) fn take(
        &mut self,
        place: Range<usize>,
        features: &BlockFeatures,
        (block, order): (&Block<'_>, &[u32]),
    ) {
        self.place = place;
        let order = &order[self.place.clone()];
        let (rows, n, dim) = (order.len(), block.x.ncols(), features.dim());
        let x = &mut self.x[..rows * n];
        block.gather(order.iter().map(|i| *i as usize), x);
        let x = ArrayView2::from_shape((rows, n), &*x).expect("rows of n");
        let phi = &mut self.phi[..rows * dim];
        let phi = ArrayViewMut2::from_shape((rows, dim), phi).expect("rows of D");
        features.single_into(x, phi);
    }

    /// Evaluates its rows, of `block` in this `order`.
    pub(super) fn evaluate(
        &mut self,
        problem: &StreamProblem<'_>,
        (block, order): (&Block<'_>, &[u32]),
        point: &Point<'_>,
    ) {
        let order = &order[self.place.clone()];
        let dim = point.zeta.len();
        self.active_rows.clear();
        (self.active, self.radius) = ([0.0; 2], [0.0; 2]);
        (self.balance, self.loss) = (0.0, 0.0);
        for sums in &mut self.sums {
            sums.fill(0.0);
        }
        let phi = self.phi.chunks(GROUP_ROWS * dim);
        for (order, phi) in order.chunks(GROUP_ROWS).zip(phi) {
            let phi = &phi[..order.len() * dim];
            let (mut scores, mut signs) = ([[0.0]; GROUP_ROWS], [[0.0; GROUP_ROWS]; 2]);
            let scores = &mut scores[..order.len()];
            row_products(phi, [point.zeta], scores);
            for (i, (&row, &[score])) in order.iter().zip(&*scores).enumerate() {
                let y = block.y[row as usize];
                let (wide, row) = (f64::from(y), block.first_row + row as usize);
                let r = problem.radii().of(row);
                let hinge = 1.0 - wide * (f64::from(score) + point.intercept) + r * point.norm;
                if hinge > 0.0 {
                    let class = usize::from(y > 0.0);
                    signs[class][i] = y;
                    self.loss += hinge;
                    self.radius[class] += r;
                    self.balance += wide;
                    self.active[class] += 1.0;
                    self.active_rows.push(row);
                } else if !hinge.is_finite() {
                    // A score beyond the range of f32 says nothing of the loss, and must not pass for none.
                    self.loss = f64::NAN;
                }
            }
            for (sums, signs) in self.sums.iter_mut().zip(&signs) {
                add_weighted_rows(phi, &signs[..order.len()], sums);
            }
        }
    }
}
