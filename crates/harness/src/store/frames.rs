//! The rows of a Parquet file as frames, some rows at a time.

use super::StoreError;
use polars::prelude::*;
use std::fs::File;
use std::io::{self, Seek as _};
use std::path::{Path, PathBuf};

/// Rows of a frame of all columns.
const ROWS: usize = 1024;
/// Rows of a frame of some columns: groups of rows are read in few pieces.
const ROWS_OF_SOME: usize = 16_384;
/// A Parquet file has at least its mark twice and the length of its metadata.
const LEAST_BYTES: u64 = 12;

/// The rows of a Parquet file in their order, frame by frame.
pub(super) struct Frames {
    path: PathBuf,
    file: Option<File>,
    columns: Option<Vec<String>>,
    next: usize,
    height: usize,
}

impl Frames {
    /// The rows of the file at `path`; none if there is no such file.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be read or is no Parquet file.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            opened => Some(opened.map_err(StoreError::io("read", path))?),
        };
        let mut frames = Self {
            path: path.to_owned(),
            file,
            columns: None,
            next: 0,
            height: 0,
        };
        if let Some(mut reader) = frames.reader()? {
            frames.height = reader.num_rows().map_err(StoreError::damaged(path))?;
        }
        Ok(frames)
    }

    /// The same of `columns` alone, those of them that there are.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be read.
    pub(super) fn of_columns(mut self, columns: &[&str]) -> Result<Self, StoreError> {
        let path = self.path.clone();
        if let Some(mut reader) = self.reader()? {
            let schema = reader.schema().map_err(StoreError::damaged(&path))?;
            let there = columns.iter().filter(|name| schema.contains(name));
            self.columns = Some(there.map(ToString::to_string).collect());
        }
        Ok(self)
    }

    /// The file, for messages.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The rows of the file.
    pub(super) fn height(&self) -> usize {
        self.height
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
        Ok(Some(reader.with_columns(self.columns.clone())))
    }

    fn read(&mut self) -> Result<Option<DataFrame>, StoreError> {
        let rows = match self.columns {
            None => ROWS,
            Some(_) => ROWS_OF_SOME,
        };
        let slice = Some((self.next, rows.min(self.height - self.next)));
        let Some(reader) = self.reader()? else {
            return Ok(None);
        };
        let frame = reader.with_slice(slice).finish();
        let frame = frame.map_err(StoreError::damaged(&self.path))?;
        self.next += frame.height().max(1);
        Ok(Some(frame))
    }
}

impl Iterator for Frames {
    type Item = Result<DataFrame, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.height {
            return None;
        }
        let frame = self.read();
        if frame.is_err() {
            self.next = self.height;
        }
        frame.transpose()
    }
}
