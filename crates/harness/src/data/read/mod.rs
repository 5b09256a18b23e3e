//! Readers of data files: from bytes to a numeric table, every cell checked.

mod cells;
mod columns;
mod csv;
mod csv_lines;
mod label;
mod labels;
mod parquet;
mod range;
mod stream;
mod svmlight;
mod table;
mod wanted;

pub(crate) use cells::{Cells, column_names};
pub(crate) use stream::{BlockReader, CellBlock, Size, check_columns, size_of};
pub use svmlight::SparseTable;
pub use table::{RowUnit, Table};
pub(crate) use wanted::{AskedBy, Wanted, WantedFeatures};
