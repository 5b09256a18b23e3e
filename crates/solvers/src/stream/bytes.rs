//! A state as bytes, to be kept in a file. Whoever keeps it adds a checksum.

use super::key::Key;
use super::state::StreamState;
use super::sums::{Counts, Sums};
use crate::encoding::{Reader, StateError, decode, floats, trace, words};
use crate::stochastic::{Iterate, Tail};
use ndarray::Array1;

/// What the bytes begin with: the name of the format, and its version.
const MAGIC: &[u8; 8] = b"rsvmstr\x04";

impl StreamState {
    /// All of it, little-endian; equal states have equal bytes on every platform.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows = self.counts.tail.len();
        let mut out = Vec::with_capacity(4 * rows + 100 * (self.x.zeta.len() + 16));
        out.extend_from_slice(MAGIC);
        words(&mut out, &self.key.problem.words());
        words(&mut out, &self.key.words());
        out.extend_from_slice(&self.seed);
        words(&mut out, &[self.epoch, self.position].map(|n| n as u64));
        words(&mut out, &self.seen);
        floats(&mut out, &[self.loss, self.closed_loss]);
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
        trace(&mut out, &self.trace);
        out
    }

    /// The state whose [`StreamState::to_bytes`] these are.
    ///
    /// # Errors
    /// [`StateError`] for bytes that are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StateError> {
        decode(bytes, MAGIC, state)
    }
}

fn state(reader: &mut Reader<'_>) -> Option<StreamState> {
    reader.state()
}

fn point(out: &mut Vec<u8>, x: &Iterate) {
    floats(out, &x.zeta);
    floats(out, &[x.intercept]);
}

impl Reader<'_> {
    fn pair(&mut self) -> Option<[f64; 2]> {
        Some([self.float()?, self.float()?])
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
        let key = Key::from_words(self.words()?, self.words()?)?;
        // What is not there is not asked memory for.
        let least = key
            .problem
            .rows
            .checked_mul(4)?
            .checked_add(key.problem.dim.checked_mul(8)?)?;
        if self.left() < least {
            return None;
        }
        let seed = self.take()?;
        let (epoch, position) = (self.size()?, self.size()?);
        let seen: [u64; 2] = self.words()?;
        let rows_seen = seen[0].checked_add(seen[1])?;
        let within = u16::try_from(epoch).is_ok()
            && position <= key.problem.blocks
            && rows_seen <= key.problem.rows as u64;
        if !within {
            return None;
        }
        let mut state = StreamState::start(key, seed);
        (state.epoch, state.position, state.seen) = (epoch, position, seen);
        [state.loss, state.closed_loss] = self.pair()?;
        state.x = self.point(key.problem.dim)?;
        let taken = epoch
            .checked_mul(key.problem.rows)?
            .checked_add(usize::try_from(rows_seen).ok()?)?;
        state
            .steps
            .remember(taken, self.floats(key.problem.dim + 1)?);
        state.sums = Tail {
            epoch: self.sums(key.problem.dim)?,
            current: self.sums(key.problem.dim)?,
            next: self.sums(key.problem.dim)?,
            made: epoch,
        };
        let (tail, next) = (
            self.counts(key.problem.rows)?,
            self.counts(key.problem.rows)?,
        );
        state.counts = Counts { tail, next };
        state.best = if self.flag()? {
            Some(self.point(key.problem.dim)?)
        } else {
            None
        };
        state.trace = self.trace()?;
        Some(state)
    }
}
