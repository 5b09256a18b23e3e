//! Training on more rows than memory holds: rows come in blocks, and features are computed anew whenever they are needed.

mod batch;
mod bytes;
mod certify;
mod chunk;
mod error;
mod features;
mod intercept_grid;
mod interior_point;
mod key;
mod memory;
mod order;
pub(crate) mod pieces;
mod problem;
mod samples;
mod settings;
mod solution;
mod source;
mod state;
mod steps;
mod sums;
mod train;

pub use bytes::StateError;
pub use error::StreamError;
pub use features::BlockFeatures;
pub use interior_point::solve_stream;
pub use memory::MemoryBlocks;
pub use problem::{Radii, StreamProblem};
pub use samples::StreamSamples;
pub use settings::StreamSettings;
pub use solution::{Multipliers, StreamSolution};
pub use source::{BLOCK_ROWS, Block, BlockSource};
pub use state::StreamState;
pub use train::{Progress, train_stream};
