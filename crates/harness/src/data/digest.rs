//! What tells a data file from others.

use super::DataError;
use memchr::memchr_iter;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 18;

/// SHA-256 of the bytes of the file `path`, in lower-case hexadecimal digits, and how many of them end a line.
///
/// # Errors
/// [`DataError::Io`] if it cannot be read.
pub(crate) fn digest_of_file(path: &Path) -> Result<(String, usize), DataError> {
    let io = |source| DataError::Io {
        path: path.to_owned(),
        source,
    };
    let mut file = File::open(path).map_err(io)?;
    let (mut sha, mut lines) = (Sha256::new(), 0);
    let mut buffer = vec![0; BUFFER];
    loop {
        let count = file.read(&mut buffer).map_err(io)?;
        if count == 0 {
            return Ok((format!("{:x}", sha.finalize()), lines));
        }
        sha.update(&buffer[..count]);
        lines += memchr_iter(b'\n', &buffer[..count]).count();
    }
}
