//! Where training stands, on disk: SHA-256 of what follows, the candidate's number, the solver's state.

use super::error::ScratchError;
use super::scratch::Scratch;
use crate::store::write_atomically;
use robust_svm_solvers::stream::StreamState;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::ErrorKind;

/// The file.
const NAME: &str = "checkpoint";
const DIGEST: usize = 32;

/// Writes the state of the candidate with this number.
///
/// # Errors
/// [`ScratchError`] if it cannot be written; the last one is kept.
pub(super) fn write(
    scratch: &Scratch,
    candidate: usize,
    state: &StreamState,
) -> Result<(), ScratchError> {
    let path = scratch.file(NAME);
    let body = [&(candidate as u64).to_le_bytes()[..], &state.to_bytes()].concat();
    let bytes = [&Sha256::digest(&body)[..], &body].concat();
    write_atomically(&path, &bytes).map_err(ScratchError::io("write", &path))
}

/// The state of the candidate with this number, if it is that of the last checkpoint. A file that is not whole, as after a
/// power cut on a disk that does not keep its word, is none.
///
/// # Errors
/// [`ScratchError`] if it cannot be read.
pub(super) fn read(
    scratch: &Scratch,
    candidate: usize,
) -> Result<Option<StreamState>, ScratchError> {
    let path = scratch.file(NAME);
    let bytes = match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(ScratchError::io("read", &path))?,
    };
    Ok(state_of(&bytes, candidate))
}

fn state_of(bytes: &[u8], candidate: usize) -> Option<StreamState> {
    let (digest, body) = bytes.split_at_checked(DIGEST)?;
    let (number, state) = body.split_first_chunk()?;
    let is_whole = Sha256::digest(body)[..] == *digest;
    let is_wanted = is_whole && u64::from_le_bytes(*number) == candidate as u64;
    is_wanted.then(|| StreamState::from_bytes(state).ok())?
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use crate::modelling::streaming::scratch::Scratch;
    use ndarray::{Array1, Array2};
    use rand::SeedableRng as _;
    use rand_chacha::ChaCha20Rng;
    use robust_svm_core::features::{Features, Identity};
    use robust_svm_solvers::stream::{
        BlockFeatures, MemoryBlocks, StreamProblem, StreamSettings, StreamState,
    };
    use std::path::Path;

    #[test]
    fn a_checkpoint_is_of_one_candidate_and_whole() {
        let x = Array2::from_shape_fn((4, 2), |(i, k)| (i + 2 * k) as f32);
        let y = Array1::from(vec![1.0_f32, -1.0, 1.0, -1.0]);
        let source = MemoryBlocks::new(x.view(), y.view()).unwrap();
        let map = BlockFeatures::new(Features::Identity(Identity::new(2))).unwrap();
        let problem = StreamProblem::new(&source, &map, 1.0).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let state = StreamState::new(&problem, &StreamSettings::default(), &mut rng).unwrap();
        let folder = tempfile::TempDir::new().unwrap();
        let scratch = Scratch::open(folder.path(), Path::new("m"), "digest").unwrap();
        assert_eq!(read(&scratch, 3).unwrap(), None);
        write(&scratch, 3, &state).unwrap();
        assert_eq!(read(&scratch, 3).unwrap().as_ref(), Some(&state));
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
