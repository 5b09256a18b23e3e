//! Training on more rows than memory holds: rows come in blocks, and features are computed anew whenever they are needed.

mod error;
mod memory;
mod source;

pub use error::StreamError;
pub use memory::MemoryBlocks;
pub use source::{BLOCK_ROWS, Block, BlockSource};
