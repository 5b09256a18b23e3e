//! Where training on blocks stands: all that a run needs to go on.

use super::key::Key;
use super::sums::{Counts, Sums};
use super::{StreamProblem, StreamSettings};
use crate::stochastic::{Iterate, Steps, Tail};
use crate::{SolverError, TracePoint};
use rand::Rng;
use rand_chacha::ChaCha20Rng;

/// The state of [`train_stream`](super::train_stream) at the border of two blocks.
///
/// A run that goes on from it, in the same process or another, has the bits of one that was never stopped. It belongs to
/// its Γ, A, map, λ, intercept, steps and batch, and to as many rows in as many blocks; that the rows are the same is for the
/// caller to see to. Nothing in it is taken for a certificate: what training returns is computed from the rows at hand. It
/// takes 4 bytes a row, and 8 bytes for each of some twelve numbers a feature.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamState {
    /// What it belongs to.
    pub(super) key: Key,
    pub(super) seed: [u8; 32],
    /// Epochs closed.
    pub(super) epoch: usize,
    /// Blocks done of the epoch under way.
    pub(super) position: usize,
    pub(super) x: Iterate,
    pub(super) steps: Steps,
    pub(super) sums: Tail<Sums>,
    pub(super) counts: Counts,
    /// Rows of each class seen in the epoch under way.
    pub(super) seen: [u64; 2],
    /// The losses of those rows, each when its step began.
    pub(super) loss: f64,
    /// Those of the last epoch that was closed.
    pub(super) closed_loss: f64,
    /// The best point certified so far. Its objective is not kept: every certificate computes it anew.
    pub(super) best: Option<Iterate>,
    pub(super) trace: Vec<TracePoint>,
}

impl StreamState {
    /// The state before the first step, ζ = 0 and b = 0; `rng` gives the seed of all that is random.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for settings out of range.
    pub fn new(
        problem: &StreamProblem<'_>,
        settings: &StreamSettings,
        rng: &mut ChaCha20Rng,
    ) -> Result<Self, SolverError> {
        settings.check(problem.rows(), problem.lambda())?;
        Ok(Self::start(Key::of(problem, settings), rng.r#gen()))
    }

    /// The state before the first step.
    pub(super) fn start(key: Key, seed: [u8; 32]) -> Self {
        Self {
            key,
            seed,
            epoch: 0,
            position: 0,
            x: Iterate::zeros(key.problem.dim),
            steps: key.steps(),
            sums: Tail::new(|| Sums::zeros(key.problem.dim)),
            counts: Counts::zeros(key.problem.rows),
            seen: [0; 2],
            loss: 0.0,
            closed_loss: 0.0,
            best: None,
            trace: Vec::new(),
        }
    }

    /// Epochs closed.
    pub fn epochs(&self) -> usize {
        self.epoch
    }

    /// Blocks done of the epoch under way.
    pub fn blocks_done(&self) -> usize {
        self.position
    }

    /// That it belongs to this problem and these settings.
    pub(super) fn check(
        &self,
        problem: &StreamProblem<'_>,
        settings: &StreamSettings,
    ) -> Result<(), SolverError> {
        settings.check(problem.rows(), problem.lambda())?;
        let key = Key::of(problem, settings);
        if self.key == key {
            return Ok(());
        }
        Err(SolverError::Setting {
            name: "state",
            expected: "of the same rows, blocks, features, penalty, lambda, intercept, steps and batch",
            found: format!("{:?} in the place of {key:?}", self.key),
        })
    }
}
