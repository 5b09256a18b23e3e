//! SHA-256 of files and of what is written.

use super::FetchError;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::Path;

/// Of how many bytes at a time files are read and written.
pub(super) const BLOCK: usize = 1 << 16;

/// What a file is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Digest {
    /// SHA-256, in lower-case hexadecimal digits.
    pub(super) sha256: String,
    pub(super) bytes: u64,
}

impl Digest {
    /// That of the file `path`, read in blocks.
    pub(super) fn of_file(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut digesting = Digesting::new(io::sink());
        let mut block = vec![0; BLOCK];
        loop {
            match file.read(&mut block)? {
                0 => return Ok(digesting.finish()),
                count => digesting.write_all(&block[..count])?,
            }
        }
    }

    /// Whether `expected` are the digits of this SHA-256, of either case.
    pub(super) fn is(&self, expected: &str) -> bool {
        self.sha256.eq_ignore_ascii_case(expected)
    }
}

/// Passes bytes on and digests them.
pub(super) struct Digesting<W> {
    inner: W,
    hash: Sha256,
    bytes: u64,
}

impl<W: Write> Digesting<W> {
    pub(super) fn new(inner: W) -> Self {
        let hash = Sha256::new();
        Self {
            inner,
            hash,
            bytes: 0,
        }
    }

    /// The digest of all that was written.
    pub(super) fn finish(self) -> Digest {
        Digest {
            sha256: format!("{:x}", self.hash.finalize()),
            bytes: self.bytes,
        }
    }
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hash.update(&bytes[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The length of the file `path` in bytes.
pub(super) fn length(path: &Path) -> Result<u64, FetchError> {
    let metadata = std::fs::metadata(path);
    Ok(metadata.map_err(FetchError::io("read", path))?.len())
}
