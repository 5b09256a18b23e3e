//! The steps of a block.

use super::ahead::Ahead;
use super::batch::Batch;
use super::piece::{PIECE_ROWS, Piece};
use super::state::StreamState;
use super::{Block, StreamProblem, StreamSettings, order};
use crate::stochastic::Iterate;
use crate::workers::Workers;
use std::ops::Range;

/// What a block's steps need, kept from one block to the next.
pub(super) struct BlockSteps<'a> {
    problem: &'a StreamProblem<'a>,
    /// Rows in a batch.
    size: usize,
    workers: Workers,
    order: Vec<u32>,
    places: Vec<Place>,
    ahead: Ahead<Piece>,
    batch: Batch,
    v: Iterate,
}

/// The rows of a piece, as places in the order, and whether a batch begins and ends with it.
struct Place {
    rows: Range<usize>,
    begins: bool,
    ends: bool,
}

impl<'a> BlockSteps<'a> {
    pub(super) fn new(problem: &'a StreamProblem<'a>, settings: &StreamSettings) -> Self {
        let dim = problem.dim();
        Self {
            problem,
            size: settings.steps.batch.min(problem.rows()),
            workers: Workers::parallel(settings.parallel),
            order: Vec::new(),
            places: Vec::new(),
            ahead: Ahead::new(),
            batch: Batch::new(dim),
            v: Iterate::zeros(dim),
        }
    }

    /// Makes the steps of `block`: as few batches as hold its rows, of sizes that differ by no more than one row.
    pub(super) fn take(&mut self, block: &Block<'_>, state: &mut StreamState) {
        let rows = block.y.len();
        let epoch = (state.epoch, self.problem.source().blocks());
        order::of_rows(state.seed, epoch, block.index, rows, &mut self.order);
        self.divide(rows);
        let Self {
            problem,
            workers,
            order,
            places,
            ahead,
            batch,
            v,
            ..
        } = self;
        let of_block = (block, &order[..]);
        let make = |k: usize, piece: &mut Piece| {
            piece.take(places[k].rows.clone(), problem.features(), of_block);
        };
        let new = || Piece::new(problem.features().input_dim(), problem.dim());
        ahead.each_piece((*workers, places.len()), new, make, |k, piece| {
            let sums = &mut state.sums.epoch;
            if places[k].begins {
                batch.begin(problem, &state.x);
            }
            batch.add(problem, of_block, piece, (sums, &mut state.counts));
            if places[k].ends {
                sums.add_point(&state.x, batch.rows as f64 / problem.rows() as f64);
                batch.end(problem, &state.x, v, sums);
                state.loss += batch.loss;
                state.steps.advance(&mut state.x, v, batch.rows);
            }
        });
        for y in block.y {
            state.seen[usize::from(*y > 0.0)] += 1;
        }
    }

    /// The pieces of the batches of a block of `rows` rows.
    fn divide(&mut self, rows: usize) {
        let batches = rows.div_ceil(self.size);
        self.places.clear();
        for j in 0..batches {
            let (first, end) = (j * rows / batches, (j + 1) * rows / batches);
            for start in (first..end).step_by(PIECE_ROWS) {
                let rows = start..end.min(start + PIECE_ROWS);
                self.places.push(Place {
                    begins: start == first,
                    ends: rows.end == end,
                    rows,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BlockSteps;
    use crate::stream::{
        BlockFeatures, BlockSource, MemoryBlocks, StreamProblem, StreamSettings, StreamState,
    };
    use crate::{StepRule, StochasticSettings};
    use ndarray::{Array1, Array2};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;
    use robust_svm_core::features::{Features, Identity};

    /// With steps so short that every loss stays active each row is counted once, with its own features and label, in
    /// blocks of one batch and of several, of whole pieces and of others.
    #[test]
    fn every_row_has_its_turn_once() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let (rows, n) = (3001, 3);
        let x = Array2::from_shape_simple_fn((rows, n), || rng.gen_range(-1.0_f32..1.0));
        let y = Array1::from_shape_fn(rows, |i| if i % 3 == 0 { 1.0_f32 } else { -1.0 });
        let features = BlockFeatures::new(Features::Identity(Identity::new(n))).unwrap();
        for (block_rows, batch) in [(700, 16), (3001, 256), (1500, 1000), (100, 256), (1, 1)] {
            let source = MemoryBlocks::new(x.view(), y.view()).unwrap();
            let source = source.with_block_rows(block_rows).unwrap();
            let problem = StreamProblem::new(&source, &features, 1.0).unwrap();
            let settings = StreamSettings {
                steps: StochasticSettings {
                    step: StepRule::Constant { rate: 1e-9 },
                    batch,
                    ..StreamSettings::default().steps
                },
                ..StreamSettings::default()
            };
            let mut state = StreamState::new(&problem, &settings, &mut rng).unwrap();
            let mut steps = BlockSteps::new(&problem, &settings);
            let order: Vec<usize> = (0..source.blocks()).rev().collect();
            let taken = source.read(&order, &mut |block| {
                steps.take(&block, &mut state);
                Ok(())
            });
            taken.unwrap();
            assert!(state.counts.tail.iter().all(|count| *count == 1));
            assert_eq!(state.seen, [2000, 1001]);
            for class in 0..2 {
                for k in 0..n {
                    let own = (0..rows).filter(|i| (y[*i] > 0.0) == (class == 1));
                    let sum: f64 = own.map(|i| f64::from(y[i] * x[(i, k)])).sum();
                    let found = state.sums.epoch.weighted[class][k];
                    assert!((found - sum).abs() < 1e-3, "{found} {sum}");
                }
            }
        }
    }
}
