//! The steps of a block, with the features of the next rows made beside them.

use super::batch::{Batch, BatchRows};
use super::chunk::{CHUNK_ROWS, Chunk};
use super::state::StreamState;
use super::{Block, StreamProblem, StreamSettings, order};
use crate::stochastic::Iterate;
use crate::workers::Workers;

/// What a block's steps need, kept from one block to the next.
pub(super) struct BlockSteps<'a> {
    problem: &'a StreamProblem<'a>,
    /// Rows in a batch.
    size: usize,
    workers: Workers,
    order: Vec<u32>,
    /// The rows that steps take, and the next ones.
    now: Chunk,
    next: Chunk,
    batch: Batch,
    v: Iterate,
}

impl<'a> BlockSteps<'a> {
    pub(super) fn new(problem: &'a StreamProblem<'a>, settings: &StreamSettings) -> Self {
        let size = settings.steps.batch.min(problem.rows());
        Self {
            problem,
            size,
            workers: Workers::parallel(settings.parallel),
            order: Vec::new(),
            now: Chunk::empty(),
            next: Chunk::empty(),
            batch: Batch::new(size, problem.dim()),
            v: Iterate::zeros(problem.dim()),
        }
    }

    /// Makes the steps of `block`: as few batches as hold its rows, of sizes that differ by no more than one row.
    pub(super) fn take(&mut self, block: &Block<'_>, state: &mut StreamState) {
        let (problem, workers) = (self.problem, self.workers);
        let (features, rows) = (problem.features(), block.y.len());
        let epoch = (state.epoch, problem.source().blocks());
        order::of_rows(state.seed, epoch, block.index, rows, &mut self.order);
        let batches = rows.div_ceil(self.size);
        let border = |batch: usize| batch.min(batches) * rows / batches.max(1);
        let in_chunk = (CHUNK_ROWS / self.size).max(1);
        let chunks = batches.div_ceil(in_chunk);
        let order = &self.order;
        let fill = |chunk: &mut Chunk, c: usize| {
            let own = border(c * in_chunk)..border((c + 1) * in_chunk);
            chunk.fill(features, block, &order[own], workers);
        };
        fill(&mut self.now, 0);
        for c in 0..chunks {
            let (now, next) = (&self.now, &mut self.next);
            let (batch, v) = (&mut self.batch, &mut self.v);
            let first = border(c * in_chunk);
            let own = c * in_chunk..((c + 1) * in_chunk).min(batches);
            let steps = || {
                for j in own {
                    let rows = border(j) - first..border(j + 1) - first;
                    step(problem, &now.rows(rows), (batch, v), state);
                }
            };
            let features = || {
                if c + 1 < chunks {
                    fill(next, c + 1);
                }
            };
            workers.both(steps, features);
            std::mem::swap(&mut self.now, &mut self.next);
        }
    }
}

/// One step, on one batch.
fn step(
    problem: &StreamProblem<'_>,
    rows: &BatchRows<'_>,
    (batch, v): (&mut Batch, &mut Iterate),
    state: &mut StreamState,
) {
    let share = rows.y.len() as f64 / problem.rows() as f64;
    let sums = &mut state.sums.epoch;
    sums.add_point(&state.x, share);
    let counted = (sums, &mut state.counts);
    state.loss += batch.evaluate(problem, rows, &state.x, v, counted);
    for y in rows.y {
        state.seen[usize::from(*y > 0.0)] += 1;
    }
    state.steps.advance(&mut state.x, v, rows.y.len());
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
    /// blocks of one chunk and of several, of whole batches and of others.
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
