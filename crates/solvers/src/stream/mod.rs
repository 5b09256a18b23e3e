//! Training on more rows than memory holds: rows come in blocks, and features are computed anew whenever they are needed.
//!
//! A [`BlockSource`] gives rows in blocks, in any order and as often as asked; a [`StreamProblem`] is the robust SVM with
//! one cone on the features that [`BlockFeatures`] make of them. Neither solver ever holds Φ (L × D).
//!
//! **[`train_stream`]** is the method of [`crate::stochastic`] on mini-batches, with scores and sub-gradients of a batch by products in single
//! precision, and steps and sums in double precision. An epoch visits the blocks in an order of its own, and the rows of a block in
//! one of theirs: rows of different blocks are never in one batch, so rows sorted by class or time mix badly, and are better
//! shuffled before they are stored. Features are made ahead of the steps, on all threads that are free.
//! Memory holds the source's blocks, the features of 256 rows a thread, at most a block, and four bytes a row: how often the loss of each row was active.
//!
//! **Its certificate** is that of [`crate::certificate`] for one cone, not that of a sum of sub-gradients as in memory: of α alone. Let `count_i` be in how
//! many of the K epochs of the tail the loss of i was active when its step began. `α_i = f_c count_i`, with a factor f_c for
//! each class c, at most 1 over the largest count of its rows, that makes `Σα_iy_i = 0` if b is free, has `0 ≤ α_i ≤ 1`, whatever rounding decided about a loss; so
//!
//! ```text
//! D(α) = Σα_i − (1/2λ) min{ ‖Σα_iy_iφ_i − (Σα_iΓ_i) Aᵀu‖² : ‖u‖₂ ≤ 1 }
//! ```
//!
//! is a lower bound on the optimal value (derived in the docs of [`crate::certificate`]). Of α it needs the three sums over each
//! class `Σcount_i`, `Σcount_iΓ_i` and `Σcount_iy_iφ_i`. The steps have them for nothing, but the last in single precision: good for the ζ that belongs to α,
//! not for a bound. One pass in double precision makes it again, and with it the objective of that ζ and of the average.
//! The intercept of both is chosen in the same pass, of a grid on which the sum of losses is exact.
//!
//! **[`solve_stream`]** is [`crate::interior_point`] with products by passes, for small gaps where L-vectors fit in memory.
//!
//! **Both go on** from a state that their observer is shown, a [`StreamState`] between two blocks and an [`InteriorPointState`] between two
//! iterations, to the bits of a run that was never stopped. Neither proves anything by what a state says.

mod ahead;
mod batch;
mod bytes;
mod certify;
mod error;
mod features;
mod fingerprint;
mod intercept_grid;
mod interior_point;
mod interior_point_state;
mod key;
mod memory;
mod order;
mod piece;
pub(crate) mod pieces;
mod problem;
mod problem_key;
mod samples;
mod settings;
mod solution;
mod source;
mod state;
mod steps;
mod sums;
mod train;

pub use crate::encoding::StateError;
pub use error::StreamError;
pub use features::BlockFeatures;
pub use interior_point::{InteriorPointProgress, solve_stream};
pub use interior_point_state::InteriorPointState;
pub use memory::MemoryBlocks;
pub use problem::{Radii, StreamProblem};
pub use samples::StreamSamples;
pub use settings::StreamSettings;
pub use solution::{Multipliers, StreamSolution};
pub use source::{BLOCK_ROWS, Block, BlockSource};
pub use state::StreamState;
pub use train::{Progress, train_stream};
