//! Training on files larger than memory: the rows are surveyed, copied in a random order, and read again in blocks.

mod ahead;
mod apart;
mod candidates;
mod checkpoint;
pub(crate) mod error;
mod fit;
mod gap_progress;
mod held_out;
mod moments;
mod prepare;
mod progress;
mod row_file;
mod scatter;
mod scratch;
mod solve;
mod space;
mod survey;
pub(crate) mod train;
