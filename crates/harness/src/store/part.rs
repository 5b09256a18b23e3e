//! A part file: cells that wait to be joined, sorted by their identities, in blocks each with a checksum. A file that was
//! torn, as by a power cut on a disk that does not keep its word, is told from a whole one.
//!
//! The head, then blocks: SHA-256 of what follows; a byte that is 1 for the last block and 0 for others; rows, timings and
//! traces as Parquet, each after its length in 8 bytes, little-endian.

use super::file::{NewFile, full};
use super::stored_cell::{StoredCell, of_tables, to_tables};
use super::{Record, StoreError};
use polars::prelude::PolarsResult;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};

/// What a part file begins with.
const HEAD: &[u8] = b"robust-svm part 4\n";
const DIGEST: usize = 32;
/// Cells of a block: what a reader holds of a file.
const BLOCK: usize = 128;

/// Writes `cells`, which are sorted by their identities, to a part file at `path`.
///
/// # Errors
/// [`StoreError`] if one of them cannot be had, or the file cannot be written.
pub(super) fn write_part<R: Record>(
    path: &Path,
    cells: impl Iterator<Item = Result<StoredCell<R>, StoreError>>,
) -> Result<(), StoreError> {
    let io = |source| StoreError::io("write", path)(source);
    let file = NewFile::create(path).map_err(io)?;
    let mut all = 0;
    let mut put = |bytes: &[u8]| {
        all += bytes.len() as u64;
        let written = file.as_file().write_all(bytes);
        written.map_err(|error| io(full(error, all)))
    };
    put(HEAD)?;
    let mut cells = cells.peekable();
    loop {
        let block: Vec<_> = cells.by_ref().take(BLOCK).collect::<Result<_, _>>()?;
        let last = cells.peek().is_none();
        put(&encode(block, last).map_err(StoreError::damaged(path))?)?;
        if last {
            break;
        }
    }
    file.commit().map_err(io)
}

fn encode<R: Record>(cells: Vec<StoredCell<R>>, last: bool) -> PolarsResult<Vec<u8>> {
    let mut body = vec![u8::from(last)];
    for table in to_tables(cells)? {
        body.extend((table.len() as u64).to_le_bytes());
        body.extend(table);
    }
    Ok([&Sha256::digest(&body)[..], &body].concat())
}

/// The cells of a part file, of which a block is in memory at a time.
pub(super) struct PartReader<R> {
    path: PathBuf,
    blocks: Blocks<BufReader<File>>,
    cells: std::vec::IntoIter<StoredCell<R>>,
}

impl<R: Record> PartReader<R> {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let file = File::open(path).map_err(StoreError::io("read", path))?;
        Ok(Self {
            path: path.to_owned(),
            blocks: Blocks::new(BufReader::new(file)),
            cells: Vec::new().into_iter(),
        })
    }

    /// The next cells; `None` if the file is not whole. None come after its end.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be read or holds something else.
    pub(super) fn next_block(&mut self) -> Result<Option<Vec<StoredCell<R>>>, StoreError> {
        match self.blocks.next() {
            Ok(Block::Whole(tables)) => {
                let cells = of_tables(tables).map_err(StoreError::damaged(&self.path))?;
                Ok(Some(cells))
            }
            Ok(Block::End) => Ok(Some(Vec::new())),
            Ok(Block::Torn) => Ok(None),
            Err(error) => Err(StoreError::io("read", &self.path)(error)),
        }
    }
}

/// A file that is not whole is an error.
impl<R: Record> Iterator for PartReader<R> {
    type Item = Result<StoredCell<R>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.cells.len() == 0 {
            match self.next_block() {
                Ok(Some(cells)) => self.cells = cells.into_iter(),
                Ok(None) => {
                    let changed = "it has changed since it was written";
                    return Some(Err(StoreError::damaged(&self.path)(changed)));
                }
                Err(error) => return Some(Err(error)),
            }
        }
        self.cells.next().map(Ok)
    }
}

/// The cells of the part file at `path`; `None` if it is not whole.
///
/// # Errors
/// [`StoreError`] if the file cannot be read or holds something else.
pub(super) fn read_part<R: Record>(path: &Path) -> Result<Option<Vec<StoredCell<R>>>, StoreError> {
    let mut part = PartReader::open(path)?;
    let mut cells = Vec::new();
    loop {
        match part.next_block()? {
            None => return Ok(None),
            Some(block) if block.is_empty() => return Ok(Some(cells)),
            Some(block) => cells.extend(block),
        }
    }
}

/// The identities of the cells of the part file at `path`; `None` if it is not whole.
///
/// # Errors
/// [`StoreError`] if the file cannot be read or holds something else.
pub(super) fn part_ids<R: Record>(path: &Path) -> Result<Option<Vec<String>>, StoreError> {
    let mut part = PartReader::<R>::open(path)?;
    let mut ids = Vec::new();
    loop {
        match part.next_block()? {
            None => return Ok(None),
            Some(block) if block.is_empty() => return Ok(Some(ids)),
            Some(block) => ids.extend(block.iter().map(|cell| cell.id().to_owned())),
        }
    }
}

/// The blocks of a part file.
struct Blocks<B> {
    bytes: B,
    place: Place,
}

enum Place {
    Head,
    Inside,
    AfterLast,
}

/// What follows in a part file.
enum Block {
    /// Rows, timings and traces.
    Whole([Vec<u8>; 3]),
    Torn,
    End,
}

impl<B: Read> Blocks<B> {
    fn new(bytes: B) -> Self {
        Self {
            bytes,
            place: Place::Head,
        }
    }

    fn next(&mut self) -> io::Result<Block> {
        match self.read_next() {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(Block::Torn),
            block => block,
        }
    }

    fn read_next(&mut self) -> io::Result<Block> {
        match self.place {
            Place::Head => {
                if self.take(HEAD.len() as u64)? != HEAD {
                    return Ok(Block::Torn);
                }
                self.place = Place::Inside;
            }
            Place::Inside => {}
            Place::AfterLast => {
                let more = self.bytes.read(&mut [0])? > 0;
                return Ok(if more { Block::Torn } else { Block::End });
            }
        }
        let digest = self.take(DIGEST as u64)?;
        let mut sha = Sha256::new();
        let last = self.take(1)?;
        sha.update(&last);
        let mut tables = [const { Vec::new() }; 3];
        for table in &mut tables {
            let mut length = [0; 8];
            self.bytes.read_exact(&mut length)?;
            sha.update(length);
            *table = self.take(u64::from_le_bytes(length))?;
            sha.update(&*table);
        }
        if sha.finalize()[..] != *digest {
            return Ok(Block::Torn);
        }
        if last == [1] {
            self.place = Place::AfterLast;
        }
        Ok(Block::Whole(tables))
    }

    /// The next `count` bytes. Memory is taken as they come: a length may be torn.
    fn take(&mut self, count: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.bytes.by_ref().take(count).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, Blocks, HEAD, encode};
    use crate::store::stored_cell::StoredCell;
    use crate::store::{CellRow, Status};

    fn block(id: &str, last: bool) -> Vec<u8> {
        let row = CellRow {
            cell_id: id.into(),
            dataset: "iris".into(),
            method: "linear".into(),
            level: 0.1,
            train_level: 0.0,
            repeat: 0,
            status: Status::Failed,
            reason: Some("for the test".into()),
            seed: 1,
            measurement: None,
        };
        let cell = StoredCell {
            row,
            timing: None,
            trace: Vec::new(),
        };
        encode(vec![cell], last).expect("a row can be written")
    }

    /// The number of blocks, if the file is whole.
    fn blocks(bytes: &[u8]) -> Option<usize> {
        let mut blocks = Blocks::new(bytes);
        let mut count = 0;
        loop {
            match blocks.next().expect("it is in memory") {
                Block::Whole(_) => count += 1,
                Block::Torn => return None,
                Block::End => return Some(count),
            }
        }
    }

    #[test]
    fn a_part_that_lost_its_end_or_a_bit_anywhere_is_not_whole() {
        let (first, last) = (block("0", false), block("1", true));
        let whole = [HEAD, &first, &last].concat();
        assert_eq!(blocks(&whole), Some(2));
        for end in 0..whole.len() {
            assert_eq!(blocks(&whole[..end]), None, "{end} bytes");
        }
        for place in 0..whole.len() {
            let mut torn = whole.clone();
            torn[place] ^= 1;
            assert_eq!(blocks(&torn), None, "byte {place}");
        }
        assert_eq!(blocks(&[&whole[..], &last].concat()), None, "a block more");
    }
}
