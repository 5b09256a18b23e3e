//! Readers of data files that hold some rows at a time: the values and the errors of the readers of whole files.

mod block;
mod csv;
mod fault;
mod header;
mod lines;
mod parquet;
mod reader;
mod size;
mod svmlight;
#[cfg(test)]
mod tests;

pub(crate) use block::CellBlock;
pub(crate) use header::check_columns;
pub(crate) use reader::BlockReader;
pub(crate) use size::{Size, size_of};
