//! Scaled rows on disk: blocks of inputs and labels in single precision, each with a checksum.
//!
//! A block is its inputs row by row, its labels and the CRC-32 of both, all in four bytes each, little-endian. All blocks
//! but the last have [`BLOCK_ROWS`] rows.

use super::error::ScratchError;
use flate2::Crc;
use ndarray::{ArrayView1, ArrayView2};
use robust_svm_solvers::stream::{BLOCK_ROWS, Block, BlockSource, StreamError};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

/// Blocks that are read ahead.
const AHEAD: usize = 2;
/// Bytes of a number.
pub(super) const NUMBER: usize = size_of::<f32>();

/// A file of rows that is read.
#[derive(Debug, Clone)]
pub(super) struct RowFile {
    path: PathBuf,
    rows: usize,
    width: usize,
}

impl RowFile {
    /// The file at `path`, which has `rows` rows of `width` inputs.
    pub(super) fn new(path: &Path, rows: usize, width: usize) -> Self {
        Self {
            path: path.to_owned(),
            rows,
            width,
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn number_of_blocks(&self) -> usize {
        self.rows.div_ceil(BLOCK_ROWS)
    }

    /// Where block `index` begins in the file.
    pub(super) fn start_of(&self, index: usize) -> u64 {
        index as u64 * (NUMBER * (BLOCK_ROWS * (self.width + 1) + 1)) as u64
    }

    /// Rows of block `index`.
    pub(super) fn rows_of(&self, index: usize) -> usize {
        BLOCK_ROWS.min(self.rows - index * BLOCK_ROWS)
    }

    pub(super) fn open(&self) -> Result<File, ScratchError> {
        File::open(&self.path).map_err(ScratchError::io("read", &self.path))
    }

    /// Puts inputs and then labels of block `index` into `numbers`.
    pub(super) fn load(
        &self,
        file: &mut File,
        index: usize,
        numbers: &mut Vec<f32>,
    ) -> Result<(), ScratchError> {
        let damaged = || ScratchError::Damaged {
            path: self.path.clone(),
            block: index,
        };
        let mut sum = [0; NUMBER];
        numbers.resize(self.rows_of(index) * (self.width + 1), 0.0);
        let content: &mut [u8] = bytemuck::cast_slice_mut(numbers);
        let read = file
            .seek(SeekFrom::Start(self.start_of(index)))
            .and_then(|_| file.read_exact(content))
            .and_then(|()| file.read_exact(&mut sum));
        read.map_err(|source| match source.kind() {
            std::io::ErrorKind::UnexpectedEof => damaged(),
            _ => ScratchError::io("read", &self.path)(source),
        })?;
        let mut crc = Crc::new();
        crc.update(content);
        if crc.sum().to_le_bytes() != sum {
            return Err(damaged());
        }
        for number in numbers {
            *number = f32::from_bits(u32::from_le(number.to_bits()));
        }
        Ok(())
    }

    /// The block whose inputs and labels are `numbers`.
    pub(super) fn block<'a>(&self, index: usize, numbers: &'a [f32]) -> Block<'a> {
        let rows = self.rows_of(index);
        let (inputs, labels) = numbers.split_at(rows * self.width);
        Block {
            index,
            first_row: index * BLOCK_ROWS,
            x: ArrayView2::from_shape((rows, self.width), inputs).expect("numbers of a block"),
            y: ArrayView1::from(labels),
        }
    }
}

impl BlockSource for RowFile {
    fn rows(&self) -> usize {
        self.rows
    }

    fn width(&self) -> usize {
        self.width
    }

    fn blocks(&self) -> usize {
        self.number_of_blocks()
    }

    fn read(
        &self,
        order: &[usize],
        visit: &mut dyn FnMut(Block<'_>) -> Result<(), StreamError>,
    ) -> Result<(), StreamError> {
        let mut file = self.open().map_err(StreamError::source)?;
        thread::scope(|scope| {
            let (send, receive) = sync_channel(AHEAD);
            let (give_back, taken_back) = channel::<Vec<f32>>();
            scope.spawn(move || {
                for &index in order {
                    let mut numbers = taken_back.try_recv().unwrap_or_default();
                    let loaded = self.load(&mut file, index, &mut numbers);
                    let is_last = loaded.is_err();
                    // Nobody listens after an error.
                    if send.send(loaded.map(|()| (index, numbers))).is_err() || is_last {
                        break;
                    }
                }
            });
            for block in receive {
                let (index, numbers) = block.map_err(StreamError::source)?;
                visit(self.block(index, &numbers))?;
                // The reader may have ended.
                let _ = give_back.send(numbers);
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::row_writer::{RowWriter, record};
    use super::{BLOCK_ROWS, RowFile};
    use robust_svm_solvers::stream::{BlockSource as _, StreamError};

    const WIDTH: usize = 3;

    /// Rows 0, 1, … that are added to the blocks in turn, as long as these have room.
    fn written(path: &std::path::Path, rows: usize) -> RowFile {
        let target = RowFile::new(path, rows, WIDTH);
        let blocks = target.number_of_blocks();
        let mut writer = RowWriter::create(target, 0).unwrap();
        let mut bytes = Vec::new();
        for place in 0..BLOCK_ROWS {
            for block in 0..blocks {
                let row = block * BLOCK_ROWS + place;
                if row < rows {
                    let y = if row.is_multiple_of(3) { 1.0 } else { -1.0 };
                    record((0..WIDTH).map(|k| (row * WIDTH + k) as f64), y, &mut bytes);
                    writer.add(block, &bytes).unwrap();
                }
            }
        }
        writer.finish()
    }

    #[test]
    fn blocks_come_in_the_order_asked() {
        let folder = tempfile::TempDir::new().unwrap();
        for rows in [1, BLOCK_ROWS, 2 * BLOCK_ROWS + 5] {
            let file = written(&folder.path().join("rows"), rows);
            let order: Vec<usize> = (0..file.blocks()).rev().chain([0]).collect();
            let mut seen = Vec::new();
            let read = file.read(&order, &mut |block| {
                seen.push(block.index);
                assert_eq!(block.first_row, block.index * BLOCK_ROWS);
                for (i, (x, y)) in block.x.outer_iter().zip(block.y).enumerate() {
                    let row = block.first_row + i;
                    assert_eq!(x.to_vec(), [0, 1, 2].map(|k| (row * WIDTH + k) as f32));
                    assert_eq!(*y, if row % 3 == 0 { 1.0 } else { -1.0 });
                }
                Ok(())
            });
            assert!(read.is_ok());
            assert_eq!(seen, order);
        }
    }

    #[test]
    fn a_visitor_may_stop_and_damage_is_told() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("rows");
        let file = written(&path, 3 * BLOCK_ROWS);
        let mut seen = 0;
        let stopped = file.read(&[0, 1, 2, 0, 1, 2], &mut |_| {
            seen += 1;
            Err(StreamError::Stopped)
        });
        assert!(matches!(stopped, Err(StreamError::Stopped)));
        assert_eq!(seen, 1);
        let whole = std::fs::read(&path).unwrap();
        let mut torn = whole.clone();
        torn[whole.len() / 2] ^= 4;
        for (bytes, good) in [(&torn[..], [0, 2]), (&whole[..whole.len() - 1], [0, 1])] {
            std::fs::write(&path, bytes).unwrap();
            assert!(file.read(&good, &mut |_| Ok(())).is_ok());
            let Err(StreamError::Source(error)) = file.read(&[0, 1, 2], &mut |_| Ok(())) else {
                panic!("damage was not found");
            };
            assert!(
                error.to_string().contains("is not as it was written"),
                "{error}"
            );
        }
    }
}
