//! A state as bytes, to be kept in a file. Whoever keeps it adds a checksum.

use super::key::Key;
use super::state::StreamState;
use super::sums::{Counts, Sums};
use crate::stochastic::{Iterate, Tail};
use crate::{RelativeGap, TracePoint};
use ndarray::Array1;

/// What the bytes begin with: the name of the format, and its version.
const MAGIC: &[u8; 8] = b"rsvmstr\x02";

/// Why bytes are no state of training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// They begin otherwise.
    #[error(
        "these are no bytes of a state of training, or another version of this program made them: begin anew"
    )]
    Format,
    /// They are too few or too many, or their parts contradict each other.
    #[error("the state of training is damaged: take an earlier one, or begin anew")]
    Damaged,
}

impl StreamState {
    /// All of it, little-endian; equal states have equal bytes on every platform.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows = self.counts.tail.len();
        let mut out = Vec::with_capacity(4 * rows + 100 * (self.x.zeta.len() + 16));
        out.extend_from_slice(MAGIC);
        words(&mut out, &self.key.words());
        out.extend_from_slice(&self.seed);
        words(&mut out, &[self.epoch, self.position].map(|n| n as u64));
        words(&mut out, &self.seen);
        floats(&mut out, &[self.loss]);
        point(&mut out, &self.x);
        floats(&mut out, self.steps.squares());
        for sums in [&self.sums.epoch, &self.sums.current, &self.sums.next] {
            floats(&mut out, &[sums.epochs]);
            point(&mut out, &sums.point);
            for weighted in &sums.weighted {
                floats(&mut out, weighted);
            }
            floats(&mut out, &sums.radius);
            floats(&mut out, &sums.active);
        }
        for counts in [&self.counts.tail, &self.counts.next] {
            out.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
        }
        words(&mut out, &[u64::from(self.best.is_some())]);
        if let Some(best) = &self.best {
            point(&mut out, best);
        }
        words(&mut out, &[self.trace.len() as u64]);
        for known in &self.trace {
            words(&mut out, &[known.iteration as u64]);
            floats(&mut out, &[known.objective, known.dual_objective]);
        }
        out
    }

    /// The state whose [`StreamState::to_bytes`] these are.
    ///
    /// # Errors
    /// [`StateError`] for bytes that are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StateError> {
        let bytes = bytes.strip_prefix(MAGIC).ok_or(StateError::Format)?;
        let mut reader = Reader(bytes);
        let state = reader.state().ok_or(StateError::Damaged)?;
        if reader.0.is_empty() {
            Ok(state)
        } else {
            Err(StateError::Damaged)
        }
    }
}

fn words(out: &mut Vec<u8>, words: &[u64]) {
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

fn floats<'a>(out: &mut Vec<u8>, values: impl IntoIterator<Item = &'a f64>) {
    out.extend(values.into_iter().flat_map(|value| value.to_le_bytes()));
}

fn point(out: &mut Vec<u8>, x: &Iterate) {
    floats(out, &x.zeta);
    floats(out, &[x.intercept]);
}

/// The bytes not yet read; `None` where there are too few.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn words<const N: usize>(&mut self) -> Option<[u64; N]> {
        let mut out = [0; N];
        for word in &mut out {
            *word = u64::from_le_bytes(self.take()?);
        }
        Some(out)
    }

    fn size(&mut self) -> Option<usize> {
        usize::try_from(self.words::<1>()?[0]).ok()
    }

    fn float(&mut self) -> Option<f64> {
        Some(f64::from_bits(self.words::<1>()?[0]))
    }

    fn pair(&mut self) -> Option<[f64; 2]> {
        Some([self.float()?, self.float()?])
    }

    fn floats(&mut self, count: usize) -> Option<Vec<f64>> {
        (0..count).map(|_| self.float()).collect()
    }

    fn counts(&mut self, count: usize) -> Option<Vec<u16>> {
        let one = |_| Some(u16::from_le_bytes(self.take()?));
        (0..count).map(one).collect()
    }

    fn point(&mut self, dim: usize) -> Option<Iterate> {
        let zeta = Array1::from_vec(self.floats(dim)?);
        let intercept = self.float()?;
        Some(Iterate { zeta, intercept })
    }

    fn sums(&mut self, dim: usize) -> Option<Sums> {
        Some(Sums {
            epochs: self.float()?,
            point: self.point(dim)?,
            weighted: [
                Array1::from_vec(self.floats(dim)?),
                Array1::from_vec(self.floats(dim)?),
            ],
            radius: self.pair()?,
            active: self.pair()?,
        })
    }

    fn state(&mut self) -> Option<StreamState> {
        let key = Key::from_words(self.words()?)?;
        // What is not there is not asked memory for.
        let least = key
            .rows
            .checked_mul(4)?
            .checked_add(key.dim.checked_mul(8)?)?;
        if self.0.len() < least {
            return None;
        }
        let seed = self.take()?;
        let (epoch, position) = (self.size()?, self.size()?);
        let seen: [u64; 2] = self.words()?;
        let rows_seen = seen[0].checked_add(seen[1])?;
        let within =
            u16::try_from(epoch).is_ok() && position <= key.blocks && rows_seen <= key.rows as u64;
        if !within {
            return None;
        }
        let mut state = StreamState::start(key, seed);
        (state.epoch, state.position, state.seen) = (epoch, position, seen);
        state.loss = self.float()?;
        state.x = self.point(key.dim)?;
        let taken = epoch
            .checked_mul(key.rows)?
            .checked_add(usize::try_from(rows_seen).ok()?)?;
        state.steps.remember(taken, self.floats(key.dim + 1)?);
        state.sums = Tail {
            epoch: self.sums(key.dim)?,
            current: self.sums(key.dim)?,
            next: self.sums(key.dim)?,
            made: epoch,
        };
        let (tail, next) = (self.counts(key.rows)?, self.counts(key.rows)?);
        state.counts = Counts { tail, next };
        state.best = match self.size()? {
            0 => None,
            1 => Some(self.point(key.dim)?),
            _ => return None,
        };
        for _ in 0..self.size()? {
            let (iteration, objective, dual_objective) =
                (self.size()?, self.float()?, self.float()?);
            state.trace.push(TracePoint {
                iteration,
                objective,
                dual_objective,
                relative_gap: RelativeGap::new(objective, dual_objective),
            });
        }
        Some(state)
    }
}
