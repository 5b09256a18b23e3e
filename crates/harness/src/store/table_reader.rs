//! A Parquet file of many rows, read some rows at a time.

use super::StoreError;
use super::frames::Frames;
use polars::prelude::{DataFrame, PolarsResult};
use std::path::Path;

/// The rows of a Parquet file in their order, of which some are in memory at a time.
pub(super) struct TableReader<T> {
    frames: Frames,
    rows_of: fn(&DataFrame) -> PolarsResult<Vec<T>>,
    rows: std::vec::IntoIter<T>,
}

impl<T> TableReader<T> {
    /// The rows that `rows_of` finds in the file at `path`; none if there is no such file.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be read or is no Parquet file.
    pub(super) fn open(
        path: &Path,
        rows_of: fn(&DataFrame) -> PolarsResult<Vec<T>>,
    ) -> Result<Self, StoreError> {
        Ok(Self::new(Frames::open(path)?, rows_of))
    }

    /// The rows that `rows_of` finds in `frames`.
    pub(super) fn new(frames: Frames, rows_of: fn(&DataFrame) -> PolarsResult<Vec<T>>) -> Self {
        Self {
            frames,
            rows_of,
            rows: Vec::new().into_iter(),
        }
    }

    fn next_frame(&mut self) -> Option<Result<(), StoreError>> {
        let frame = match self.frames.next()? {
            Ok(frame) => frame,
            Err(error) => return Some(Err(error)),
        };
        let rows = (self.rows_of)(&frame).map_err(StoreError::damaged(self.frames.path()));
        Some(rows.map(|rows| self.rows = rows.into_iter()))
    }
}

impl<T> Iterator for TableReader<T> {
    type Item = Result<T, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rows.len() == 0
            && let Err(error) = self.next_frame()?
        {
            return Some(Err(error));
        }
        self.rows.next().map(Ok)
    }
}
