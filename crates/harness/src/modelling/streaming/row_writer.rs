//! Writes a file of rows whose blocks may be filled at the same time.

use super::error::ScratchError;
use super::row_file::{NUMBER, RowFile};
use flate2::Crc;
use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};

/// Bytes of inputs that wait to be written: of all blocks together, unless there are so many that each has the least, and of one at
/// least and at most. Labels wait until their block is full.
const WAITING: usize = 1 << 26;
const LEAST: usize = 1 << 12;
const MOST: usize = 1 << 16;

/// Writes a [`RowFile`], whose blocks come in any order; the rows of one keep theirs. A kill takes nothing of what was
/// written; what a loss of power takes, as the disk is not waited for, is found by the checksums.
pub(super) struct RowWriter {
    target: RowFile,
    file: File,
    /// Bytes that the copy needs in all.
    needs: u64,
    /// Bytes of a block's inputs that are written at a time.
    buffer: usize,
    blocks: Vec<Part>,
}

/// A block that is not full.
#[derive(Default)]
struct Part {
    rows: usize,
    /// Inputs that wait, and bytes of inputs written before.
    waiting: Vec<u8>,
    written: usize,
    labels: Vec<u8>,
    /// Of what was written.
    crc: Crc,
}

impl RowWriter {
    /// Begins `target`, part of a copy that needs `needs` bytes.
    pub(super) fn create(target: RowFile, needs: u64) -> Result<Self, ScratchError> {
        let file = File::create(target.path()).map_err(ScratchError::io("write", target.path()))?;
        let blocks = target.number_of_blocks();
        Ok(Self {
            target,
            file,
            needs,
            buffer: (WAITING / blocks.max(1)).clamp(LEAST, MOST),
            blocks: std::iter::repeat_with(Part::default).take(blocks).collect(),
        })
    }

    /// Adds a row, its inputs and its label as [`record`] writes them, to a block that is not full.
    pub(super) fn add(&mut self, block: usize, record: &[u8]) -> Result<(), ScratchError> {
        let part = &mut self.blocks[block];
        let (inputs, label) = record.split_at(record.len() - NUMBER);
        part.waiting.extend_from_slice(inputs);
        part.labels.extend_from_slice(label);
        part.rows += 1;
        let is_full = part.rows == self.target.rows_of(block);
        if !is_full && part.waiting.len() < self.buffer {
            return Ok(());
        }
        let place = self.target.start_of(block) + part.written as u64;
        part.written += part.waiting.len();
        part.crc.update(&part.waiting);
        if is_full {
            part.crc.update(&part.labels);
            part.waiting.append(&mut part.labels);
            part.waiting.extend(part.crc.sum().to_le_bytes());
        }
        let written = self
            .file
            .seek(SeekFrom::Start(place))
            .and_then(|_| self.file.write_all(&part.waiting));
        written.map_err(ScratchError::writing(self.target.path(), self.needs))?;
        if is_full {
            *part = Part::default();
        } else {
            part.waiting.clear();
        }
        Ok(())
    }

    /// The file, once all its blocks are full.
    pub(super) fn finish(self) -> RowFile {
        self.target
    }
}

/// Puts the bytes of a row with the inputs `x` and the label `y` into `record`.
pub(super) fn record(x: impl ExactSizeIterator<Item = f64>, y: f64, record: &mut Vec<u8>) {
    let bytes = |v: f64| (v as f32).to_le_bytes();
    record.resize(NUMBER * (x.len() + 1), 0);
    let (numbers, _) = record.as_chunks_mut::<NUMBER>();
    let (label, inputs) = numbers.split_last_mut().expect("a label");
    *label = bytes(y);
    inputs
        .iter_mut()
        .zip(x)
        .for_each(|(input, v)| *input = bytes(v));
}
