//! Training on files larger than memory: the rows are surveyed, copied into blocks at random, and read again in blocks.

mod ahead;
mod apart;
mod candidates;
mod checkpoint;
pub(crate) mod error;
mod fit;
mod gap_progress;
mod held_out;
mod job;
mod moments;
mod prepare;
mod row_file;
mod row_writer;
mod scatter;
mod scratch;
mod slots;
mod solve;
mod space;
mod survey;
pub(crate) mod train;
