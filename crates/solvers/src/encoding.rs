//! What states of training are written with, little-endian, so that equal states have equal bytes on every platform.

use crate::{RelativeGap, TracePoint};

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

/// What `read` makes of the bytes behind `magic`, all of which it must take.
pub(crate) fn decode<T>(
    bytes: &[u8],
    magic: &[u8],
    read: impl FnOnce(&mut Reader<'_>) -> Option<T>,
) -> Result<T, StateError> {
    let bytes = bytes.strip_prefix(magic).ok_or(StateError::Format)?;
    let mut reader = Reader(bytes);
    let state = read(&mut reader).ok_or(StateError::Damaged)?;
    if reader.0.is_empty() {
        Ok(state)
    } else {
        Err(StateError::Damaged)
    }
}

pub(crate) fn words(out: &mut Vec<u8>, words: &[u64]) {
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

pub(crate) fn floats<'a>(out: &mut Vec<u8>, values: impl IntoIterator<Item = &'a f64>) {
    out.extend(values.into_iter().flat_map(|value| value.to_le_bytes()));
}

pub(crate) fn trace(out: &mut Vec<u8>, trace: &[TracePoint]) {
    words(out, &[trace.len() as u64]);
    for known in trace {
        words(out, &[known.iteration as u64]);
        floats(out, &[known.objective, known.dual_objective]);
    }
}

/// The bytes not yet read; `None` where there are too few. What is not there is not asked memory for.
pub(crate) struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    /// How many are left.
    pub(crate) fn left(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn words<const N: usize>(&mut self) -> Option<[u64; N]> {
        let mut out = [0; N];
        for word in &mut out {
            *word = u64::from_le_bytes(self.take()?);
        }
        Some(out)
    }

    pub(crate) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.words::<1>()?[0]).ok()
    }

    /// 0 or 1.
    pub(crate) fn flag(&mut self) -> Option<bool> {
        match self.size()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub(crate) fn float(&mut self) -> Option<f64> {
        Some(f64::from_bits(self.words::<1>()?[0]))
    }

    pub(crate) fn floats(&mut self, count: usize) -> Option<Vec<f64>> {
        let (values, rest) = self
            .0
            .split_at_checked(count.checked_mul(size_of::<f64>())?)?;
        self.0 = rest;
        let (values, _) = values.as_chunks();
        Some(
            values
                .iter()
                .map(|value| f64::from_le_bytes(*value))
                .collect(),
        )
    }

    pub(crate) fn trace(&mut self) -> Option<Vec<TracePoint>> {
        let count = self.size()?;
        let point = |_| {
            let (iteration, objective, dual_objective) =
                (self.size()?, self.float()?, self.float()?);
            Some(TracePoint {
                iteration,
                objective,
                dual_objective,
                relative_gap: RelativeGap::new(objective, dual_objective),
            })
        };
        (0..count).map(point).collect()
    }
}
