//! A file that is written piece by piece.

use super::StoreError;
use super::file::{NewFile, full};
use std::io::Write as _;
use std::path::Path;

/// Bytes that are written at a time.
const BUFFER: usize = 1 << 18;

/// A file that grows and comes into its place whole, when it is done, or not at all.
#[derive(Debug)]
pub(crate) struct GrowingFile {
    file: NewFile,
    waiting: Vec<u8>,
    written: u64,
}

impl GrowingFile {
    /// The file that will be at `path`, empty yet; its folder is made if need be.
    ///
    /// # Errors
    /// [`StoreError::Io`] if the system refuses; so do the others.
    pub(crate) fn create(path: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            file: NewFile::create(path).map_err(StoreError::io("write", path))?,
            waiting: Vec::with_capacity(BUFFER),
            written: 0,
        })
    }

    /// Where it is until then.
    pub(crate) fn temporary(&self) -> &Path {
        self.file.temporary()
    }

    /// Adds `bytes` at its end.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() < BUFFER {
            return Ok(());
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        self.written += self.waiting.len() as u64;
        let result = self.file.as_file().write_all(&self.waiting);
        self.waiting.clear();
        let full = |error| full(error, self.written);
        result.map_err(|error| StoreError::io("write", self.file.path())(full(error)))
    }

    /// Moves it into its place.
    pub(crate) fn commit(mut self) -> Result<(), StoreError> {
        self.flush()?;
        let path = self.file.path().to_owned();
        self.file.commit().map_err(StoreError::io("write", &path))
    }
}
