//! A Parquet file of many rows, of which a group is in memory at a time.

use super::StoreError;
use super::file::{NewFile, full};
use polars::io::parquet::write::BatchedWriter;
use polars::prelude::{Column, DataFrame, ParquetWriter, PolarsError};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Writes rows in groups of a fixed number, whose bytes do not depend on how the rows come.
pub(super) struct TableWriter<'a, T> {
    file: NewFile,
    writer: BatchedWriter<Output>,
    error: Arc<Mutex<Option<io::Error>>>,
    group: usize,
    waiting: Vec<T>,
    columns: Columns<'a, T>,
}

/// The columns of rows.
type Columns<'a, T> = Box<dyn Fn(&[T]) -> Vec<Column> + 'a>;

impl<'a, T> TableWriter<'a, T> {
    /// A table that will be at `path`, of the `columns` of its rows in groups of `group`.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be made.
    pub(super) fn create(
        path: &Path,
        group: usize,
        columns: impl Fn(&[T]) -> Vec<Column> + 'a,
    ) -> Result<Self, StoreError> {
        let io = |source| StoreError::io("write", path)(source);
        let file = NewFile::create(path).map_err(io)?;
        let error = Arc::default();
        let output = Output {
            file: BufWriter::new(file.as_file().try_clone().map_err(io)?),
            all: 0,
            error: Arc::clone(&error),
        };
        let none = DataFrame::new(0, columns(&[])).map_err(StoreError::damaged(path))?;
        let writer = ParquetWriter::new(output).batched(none.schema());
        Ok(Self {
            writer: writer.map_err(StoreError::damaged(path))?,
            error,
            file,
            group,
            waiting: Vec::new(),
            columns: Box::new(columns),
        })
    }

    /// Adds `row`.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub(super) fn push(&mut self, row: T) -> Result<(), StoreError> {
        self.waiting.push(row);
        if self.waiting.len() == self.group {
            self.write_group()?;
        }
        Ok(())
    }

    /// Writes what waits, and gives the file, which is whole but not in its place.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub(super) fn finish(mut self) -> Result<NewFile, StoreError> {
        if !self.waiting.is_empty() {
            self.write_group()?;
        }
        let ended = self.writer.finish();
        ended.map_err(|error| self.refused(error))?;
        Ok(self.file)
    }

    fn write_group(&mut self) -> Result<(), StoreError> {
        let columns = (self.columns)(&self.waiting);
        let frame = DataFrame::new(self.waiting.len(), columns);
        let written = frame.and_then(|frame| self.writer.write_batch(&frame));
        self.waiting.clear();
        written.map_err(|error| self.refused(error))
    }

    /// Why the file cannot be written, where polars says `error`: what the system said, if it did.
    fn refused(&self, error: PolarsError) -> StoreError {
        let path = self.file.path();
        match self.error.lock().expect("nobody panics with it").take() {
            Some(source) => StoreError::io("write", path)(source),
            None => StoreError::damaged(path)(error),
        }
    }
}

/// Bytes on their way to a file. What the system says of them is kept: polars hands on its words, not its kind.
struct Output {
    file: BufWriter<File>,
    /// The bytes that have come.
    all: u64,
    error: Arc<Mutex<Option<io::Error>>>,
}

impl Output {
    fn told<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let again = io::Error::from(error.kind());
            let error = full(error, self.all);
            *self.error.lock().expect("nobody panics with it") = Some(error);
            again
        })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes);
        self.all += *written.as_ref().unwrap_or(&bytes.len()) as u64;
        self.told(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        self.told(flushed)
    }
}

/// Moves `file` into its place.
///
/// # Errors
/// [`StoreError`] if it cannot be flushed or moved.
pub(super) fn commit(file: NewFile) -> Result<(), StoreError> {
    let path = file.path().to_owned();
    file.commit().map_err(StoreError::io("write", &path))
}

#[cfg(test)]
mod tests {
    use super::{TableWriter, commit};
    use crate::store::cell::column;
    use crate::store::parquet::to_parquet;
    use crate::store::table_reader::TableReader;
    use polars::prelude::Column;
    use std::fs;
    use tempfile::TempDir;

    fn columns(rows: &[u32]) -> Vec<Column> {
        vec![column(rows, "number", |row| *row)]
    }

    fn written(count: u32, group: usize) -> (Vec<u8>, Vec<u32>) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("table.parquet");
        let mut table = TableWriter::create(&path, group, columns).unwrap();
        for row in 0..count {
            table.push(row).unwrap();
        }
        let file = table.finish().unwrap();
        assert!(!path.exists(), "it is not in its place yet");
        commit(file).unwrap();
        let read = TableReader::open(&path, |frame| {
            let numbers = frame.column("number")?.u32()?;
            Ok(numbers.iter().flatten().collect())
        });
        let read: Result<Vec<u32>, _> = read.unwrap().collect();
        (fs::read(&path).unwrap(), read.unwrap())
    }

    /// Slices of the reader and groups of the writer end at different places.
    #[test]
    fn rows_come_back_in_their_order_whatever_the_groups() {
        for (count, group) in [(0, 5), (1, 5), (5, 5), (11, 5), (3000, 700), (2048, 1024)] {
            assert_eq!(
                written(count, group).1,
                (0..count).collect::<Vec<_>>(),
                "{count} by {group}"
            );
        }
    }

    #[test]
    fn a_table_of_one_group_has_the_bytes_of_one_written_at_once() {
        for count in [0, 1, 1000] {
            let rows: Vec<u32> = (0..count).collect();
            let at_once = to_parquet(columns(&rows), rows.len()).unwrap();
            assert_eq!(written(count, 1000).0, at_once);
        }
    }
}
