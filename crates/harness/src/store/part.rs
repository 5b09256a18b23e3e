//! A part file: the rows and timings of cells that wait to be joined, with a checksum. A file that was torn, as by a
//! power cut on a disk that does not keep its word, is told from a whole one.

use super::parquet::{from_parquet, to_parquet};
use super::record::rows_of;
use super::timing::{timing_columns, timings_of};
use super::{Record, StoreError, TimingRow, write_atomically};
use polars::prelude::PolarsResult;
use sha2::{Digest, Sha256};
use std::path::Path;

/// What a part file begins with.
const HEAD: &[u8] = b"robust-svm part 2\n";
const DIGEST: usize = 32;
/// Of the length of the rows' Parquet, little-endian.
const LENGTH: usize = 8;

/// The rows of some cells and what they took.
pub(super) type Part<R> = (Vec<R>, Vec<TimingRow>);

/// Writes rows and timings to `path`: the head, SHA-256 of what follows it, the length of the rows, rows and timings as
/// Parquet.
pub(super) fn write_part<R: Record>(
    path: &Path,
    rows: &[R],
    timings: &[TimingRow],
) -> Result<(), StoreError> {
    let bytes = encode(rows, timings).map_err(StoreError::damaged(path))?;
    write_atomically(path, &bytes).map_err(StoreError::io("write", path))
}

/// Reads what [`write_part`] wrote; `None` if it is not whole.
pub(super) fn read_part<R: Record>(path: &Path) -> Result<Option<Part<R>>, StoreError> {
    let bytes = std::fs::read(path).map_err(StoreError::io("read", path))?;
    let Some((rows, timings)) = contents(&bytes) else {
        return Ok(None);
    };
    decode(rows, timings)
        .map(Some)
        .map_err(StoreError::damaged(path))
}

fn encode<R: Record>(rows: &[R], timings: &[TimingRow]) -> PolarsResult<Vec<u8>> {
    let of_rows = to_parquet(R::columns(rows), rows.len())?;
    let of_timings = to_parquet(timing_columns(timings), timings.len())?;
    let body = [
        &(of_rows.len() as u64).to_le_bytes()[..],
        &of_rows,
        &of_timings,
    ]
    .concat();
    Ok([HEAD, &Sha256::digest(&body)[..], &body].concat())
}

/// The rows and the timings in the bytes of a part file, if they are those that were written.
fn contents(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (digest, body) = bytes.strip_prefix(HEAD)?.split_at_checked(DIGEST)?;
    if Sha256::digest(body)[..] != *digest {
        return None;
    }
    let (length, body) = body.split_first_chunk::<LENGTH>()?;
    body.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}

fn decode<R: Record>(rows: &[u8], timings: &[u8]) -> PolarsResult<Part<R>> {
    let rows = rows_of(&from_parquet(rows.to_vec())?)?;
    Ok((rows, timings_of(&from_parquet(timings.to_vec())?)?))
}

#[cfg(test)]
mod tests {
    use super::{contents, encode};
    use crate::store::{CellRow, Status};

    fn part() -> Vec<u8> {
        let row = CellRow {
            cell_id: "0123456789abcdef".into(),
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
        encode(&[row], &[]).expect("a row can be written")
    }

    #[test]
    fn a_part_that_lost_its_end_or_a_bit_anywhere_is_not_whole() {
        let whole = part();
        assert!(contents(&whole).is_some());
        for end in 0..whole.len() {
            assert!(contents(&whole[..end]).is_none(), "{end} bytes");
        }
        for place in 0..whole.len() {
            let mut torn = whole.clone();
            torn[place] ^= 1;
            assert!(contents(&torn).is_none(), "byte {place}");
        }
    }
}
