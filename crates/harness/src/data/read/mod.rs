//! Readers of data files: from bytes to a numeric table, every cell checked.

mod columns;
mod csv;
mod csv_lines;
mod label;
mod parquet;
mod table;

pub use table::{RowUnit, Table};
