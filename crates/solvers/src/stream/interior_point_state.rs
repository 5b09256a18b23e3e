//! Where the interior-point method on blocks stands.

use super::StreamProblem;
use super::problem_key::ProblemKey;
use crate::SolverError;
use crate::encoding::{Reader, StateError, decode, words};
use crate::interior_point::State;

/// What the bytes begin with: the name of the format, and its version.
const MAGIC: &[u8; 8] = b"rsvmipm\x01";

/// The state of [`solve_stream`](super::solve_stream) at the head of an iteration.
///
/// It is the iterate, the best points certified so far and how the solve is going; products and factorisations are made anew. A run that
/// goes on from it, in the same process or another, has the bits of one that was never stopped. It belongs to its Γ, A, map, λ and
/// intercept, and to as many rows in as many blocks; tolerance, limit of iterations and threads may change. That the rows are the same is
/// for the caller to see to; nothing in it is taken for a certificate: what a solve returns is computed from the rows at hand. It takes
/// 40 bytes a row, and 8 bytes for each of some four numbers a feature.
#[derive(Debug, Clone, PartialEq)]
pub struct InteriorPointState {
    key: ProblemKey,
    /// Absent before the first iteration.
    pub(super) at: Option<State>,
}

impl InteriorPointState {
    /// The state before the first iteration.
    pub fn new(problem: &StreamProblem<'_>) -> Self {
        Self {
            key: ProblemKey::of(problem),
            at: None,
        }
    }

    /// Iterations made.
    pub fn iterations(&self) -> usize {
        self.at.as_ref().map_or(0, State::iterations)
    }

    /// All of it, little-endian; equal states have equal bytes on every platform.
    pub fn to_bytes(&self) -> Vec<u8> {
        let ProblemKey { rows, dim, .. } = self.key;
        let known = self.at.as_ref().map_or(0, |_| 40 * (rows + dim) + 1024);
        let mut out = Vec::with_capacity(known + 128);
        out.extend_from_slice(MAGIC);
        words(&mut out, &self.key.words());
        words(&mut out, &[u64::from(self.at.is_some())]);
        if let Some(at) = &self.at {
            at.write(&mut out);
        }
        out
    }

    /// The state whose [`InteriorPointState::to_bytes`] these are. Whoever keeps them adds a checksum: bytes changed in a number are not
    /// told from others.
    ///
    /// # Errors
    /// [`StateError`] for bytes that are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StateError> {
        decode(bytes, MAGIC, |reader: &mut Reader<'_>| {
            let key = ProblemKey::from_words(reader.words()?)?;
            let at = if reader.flag()? {
                Some(State::read(reader, (key.rows, key.dim), key.intercept)?)
            } else {
                None
            };
            Some(Self { key, at })
        })
    }

    /// That it belongs to this problem.
    pub(super) fn check(&self, problem: &StreamProblem<'_>) -> Result<(), SolverError> {
        let key = ProblemKey::of(problem);
        if self.key == key {
            return Ok(());
        }
        Err(SolverError::Setting {
            name: "state",
            expected: "of the same rows, blocks, features, penalty, lambda and intercept",
            found: format!("{:?} in the place of {key:?}", self.key),
        })
    }
}
