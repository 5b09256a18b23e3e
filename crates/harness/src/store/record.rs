//! Rows of `cells.parquet`, whatever kind of experiment they are of.

use super::parquet::write_frame;
use super::table_reader::TableReader;
use super::{Status, StoreError};
use polars::prelude::{Column, DataFrame, PolarsResult};
use std::path::Path;

/// What an experiment tells of one cell: a row of its `cells.parquet`.
pub trait Record: Clone + Send {
    /// The cell's identity, one row's alone: rows are sorted by it. Column `cell_id`.
    fn cell_id(&self) -> &str;

    /// How the cell ended.
    fn status(&self) -> Status;

    /// Why it did not end well.
    fn reason(&self) -> Option<&str>;

    /// The cell in a message's words.
    fn place(&self) -> String;

    /// The columns of `rows`.
    fn columns(rows: &[Self]) -> Vec<Column>;

    /// The row with index `i` of what [`Record::columns`] made.
    ///
    /// # Errors
    /// If a column is missing, is of another type, or lacks a value it must have.
    fn from_frame(frame: &DataFrame, i: usize) -> PolarsResult<Self>;
}

/// Writes `rows` to `path`, in the order given.
///
/// # Errors
/// [`StoreError`] if the file cannot be written.
pub fn write_cells<R: Record>(path: &Path, rows: &[R]) -> Result<(), StoreError> {
    write_frame(path, R::columns(rows), rows.len())
}

/// Reads what [`write_cells`] wrote; columns that later versions append are passed over.
///
/// # Errors
/// [`StoreError`] if the file cannot be read or is not such a file.
pub fn read_cells<R: Record>(path: &Path) -> Result<Vec<R>, StoreError> {
    if !path.exists() {
        let missing = std::io::ErrorKind::NotFound.into();
        return Err(StoreError::io("read", path)(missing));
    }
    TableReader::open(path, rows_of)?.collect()
}

/// The rows of a frame.
pub(super) fn rows_of<R: Record>(frame: &DataFrame) -> PolarsResult<Vec<R>> {
    (0..frame.height())
        .map(|i| R::from_frame(frame, i))
        .collect()
}
