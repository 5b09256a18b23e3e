//! A Parquet file of many rows, read some rows at a time.

use super::StoreError;
use polars::prelude::*;
use std::fs::File;
use std::io::{self, Seek as _};
use std::path::{Path, PathBuf};

/// Rows that are read at a time.
const SLICE: usize = 1024;
/// A Parquet file has at least its mark twice and the length of its metadata.
const LEAST_BYTES: u64 = 12;

/// The rows of a Parquet file in their order, of which some are in memory at a time.
pub(super) struct TableReader<T> {
    path: PathBuf,
    file: Option<File>,
    column: Option<&'static str>,
    rows_of: fn(&DataFrame) -> PolarsResult<Vec<T>>,
    next: usize,
    height: usize,
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
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            opened => Some(opened.map_err(StoreError::io("read", path))?),
        };
        let mut table = Self {
            path: path.to_owned(),
            file,
            column: None,
            rows_of,
            next: 0,
            height: 0,
            rows: Vec::new().into_iter(),
        };
        if let Some(mut reader) = table.reader()? {
            table.height = reader.num_rows().map_err(StoreError::damaged(path))?;
        }
        Ok(table)
    }

    /// The same, where `rows_of` needs the column `name` alone.
    pub(super) fn of_column(mut self, name: &'static str) -> Self {
        self.column = Some(name);
        self
    }

    /// A reader from the start of the file.
    fn reader(&mut self) -> Result<Option<ParquetReader<File>>, StoreError> {
        let Some(file) = &mut self.file else {
            return Ok(None);
        };
        let io = |source| StoreError::io("read", &self.path)(source);
        // It is mapped into memory, which cannot be done with an empty file.
        if file.metadata().map_err(io)?.len() < LEAST_BYTES {
            return Err(StoreError::damaged(&self.path)(
                "it is shorter than any Parquet file",
            ));
        }
        file.rewind().map_err(io)?;
        let reader = ParquetReader::new(file.try_clone().map_err(io)?);
        let columns = self.column.map(|name| vec![name.to_owned()]);
        Ok(Some(reader.with_columns(columns)))
    }

    fn read_slice(&mut self) -> Result<(), StoreError> {
        let slice = Some((self.next, SLICE.min(self.height - self.next)));
        let Some(reader) = self.reader()? else {
            return Ok(());
        };
        let frame = reader.with_slice(slice).finish();
        let rows = frame.and_then(|frame| (self.rows_of)(&frame));
        let rows = rows.map_err(StoreError::damaged(&self.path))?;
        self.next += rows.len().max(1);
        self.rows = rows.into_iter();
        Ok(())
    }
}

impl<T> Iterator for TableReader<T> {
    type Item = Result<T, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rows.len() == 0
            && self.next < self.height
            && let Err(error) = self.read_slice()
        {
            self.next = self.height;
            return Some(Err(error));
        }
        self.rows.next().map(Ok)
    }
}
