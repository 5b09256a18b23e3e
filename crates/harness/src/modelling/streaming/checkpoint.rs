//! Where training stands, on disk: SHA-256 of what follows, the candidate's number, the solver's state.

use super::error::ScratchError;
use super::scratch::Scratch;
use crate::store::write_atomically;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::ErrorKind;

/// The file.
const NAME: &str = "checkpoint";
const DIGEST: usize = 32;

/// Writes the state, as bytes, of the candidate with this number.
///
/// # Errors
/// [`ScratchError`] if it cannot be written; the last one is kept.
pub(super) fn write(scratch: &Scratch, candidate: usize, state: &[u8]) -> Result<(), ScratchError> {
    let path = scratch.file(NAME);
    let number = (candidate as u64).to_le_bytes();
    let digest = Sha256::new().chain_update(number).chain_update(state);
    let bytes = [&digest.finalize()[..], &number, state].concat();
    write_atomically(&path, &bytes).map_err(ScratchError::io("write", &path))
}

/// The state, as `parse` has it of its bytes, of the candidate with this number, if it is that of the last checkpoint. A file that is not whole, as
/// after a power cut on a disk that does not keep its word, or is of another program, is none, with a warning.
///
/// # Errors
/// [`ScratchError`] if it cannot be read.
pub(super) fn read<T>(
    scratch: &Scratch,
    candidate: usize,
    parse: impl Fn(&[u8]) -> Option<T>,
) -> Result<Option<T>, ScratchError> {
    let path = scratch.file(NAME);
    let bytes = match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(ScratchError::io("read", &path))?,
    };
    let state = match whole(&bytes) {
        Some((number, _)) if number != candidate as u64 => return Ok(None),
        Some((_, state)) => parse(state),
        None => None,
    };
    if state.is_none() {
        let path = path.display();
        log::warn!("{path} is damaged: steps begin anew, on the copy of the rows that is there");
    }
    Ok(state)
}

/// The candidate's number and the state, if the digest is theirs.
fn whole(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (digest, body) = bytes.split_at_checked(DIGEST)?;
    let (number, state) = body.split_first_chunk()?;
    (Sha256::digest(body)[..] == *digest).then(|| (u64::from_le_bytes(*number), state))
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use crate::modelling::streaming::error::ScratchError;
    use crate::modelling::streaming::scratch::Scratch;
    use std::path::Path;

    #[test]
    fn a_checkpoint_is_of_one_candidate_and_whole() {
        let folder = tempfile::TempDir::new().unwrap();
        let scratch = Scratch::open(folder.path(), Path::new("m"), "digest").unwrap();
        let state = b"where it stands, and more".as_slice();
        let read = |scratch: &Scratch, candidate: usize| -> Result<_, ScratchError> {
            read(scratch, candidate, |bytes| Some(bytes.to_vec()))
        };
        assert_eq!(read(&scratch, 3).unwrap(), None);
        write(&scratch, 3, state).unwrap();
        assert_eq!(read(&scratch, 3).unwrap().as_deref(), Some(state));
        assert_eq!(read(&scratch, 2).unwrap(), None);
        let path = scratch.file("checkpoint");
        let whole = std::fs::read(&path).unwrap();
        for place in [0, 33, 60, whole.len() - 1] {
            let mut torn = whole.clone();
            torn[place] ^= 1;
            std::fs::write(&path, &torn).unwrap();
            assert_eq!(read(&scratch, 3).unwrap(), None, "byte {place}");
            std::fs::write(&path, &whole[..place]).unwrap();
            assert_eq!(read(&scratch, 3).unwrap(), None, "{place} bytes");
        }
    }
}
