//! A long text that is printed when it is known to be whole.

use super::exit::{Ended, Exit};
use super::say::say_bytes;
use crate::store::StoreError;
use std::env;
use std::io::{self, Read as _, Seek as _, Write as _};
use tempfile::SpooledTempFile;

/// What is in memory; more waits in a temporary file.
const IN_MEMORY: usize = 1 << 24;
/// Bytes that are printed at a time.
const BUFFER: usize = 1 << 18;

/// A text that waits to be printed.
pub(super) struct Waiting(SpooledTempFile);

impl Waiting {
    pub(super) fn new() -> Self {
        Self(SpooledTempFile::new(IN_MEMORY))
    }

    /// Adds `bytes`.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.0
            .write_all(bytes)
            .map_err(in_temporary_folder("write"))
    }

    /// As [`Waiting::write`].
    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<(), Ended> {
        let written = self.write(bytes);
        written.map_err(|error| Ended::new(Exit::InputOutput, error))
    }

    /// Prints it.
    pub(super) fn say(mut self) -> Result<(), Ended> {
        let refused = |error| Ended::new(Exit::InputOutput, in_temporary_folder("read")(error));
        self.0.rewind().map_err(refused)?;
        let mut buffer = vec![0; BUFFER];
        loop {
            let count = self.0.read(&mut buffer).map_err(refused)?;
            if count == 0 {
                return Ok(());
            }
            say_bytes(&buffer[..count])?;
        }
    }
}

fn in_temporary_folder(action: &'static str) -> impl FnOnce(io::Error) -> StoreError {
    move |error| StoreError::io(action, &env::temp_dir())(error)
}
