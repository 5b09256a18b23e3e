//! A part file: the rows, timings and traces of cells that wait to be joined, with a checksum. A file that was torn, as by a
//! power cut on a disk that does not keep its word, is told from a whole one.

use super::parquet::{from_parquet, to_parquet};
use super::record::rows_of;
use super::timing::{timing_columns, timings_of};
use super::trace::{trace_columns, traces_of};
use super::{Record, StoreError, TimingRow, TraceRow, write_atomically};
use polars::prelude::PolarsResult;
use sha2::{Digest, Sha256};
use std::path::Path;

/// What a part file begins with.
const HEAD: &[u8] = b"robust-svm part 3\n";
const DIGEST: usize = 32;
/// Of the length of a Parquet, little-endian.
const LENGTH: usize = 8;

/// The rows of some cells, what they took, and how the solvers of their models got there.
pub(super) struct Part<R> {
    pub(super) rows: Vec<R>,
    pub(super) timings: Vec<TimingRow>,
    pub(super) traces: Vec<TraceRow>,
}

/// Writes `part` to `path`: the head, SHA-256 of what follows it, then rows, timings and traces as Parquet, each after its
/// length.
pub(super) fn write_part<R: Record>(path: &Path, part: &Part<R>) -> Result<(), StoreError> {
    let bytes = encode(part).map_err(StoreError::damaged(path))?;
    write_atomically(path, &bytes).map_err(StoreError::io("write", path))
}

/// Reads what [`write_part`] wrote; `None` if it is not whole.
pub(super) fn read_part<R: Record>(path: &Path) -> Result<Option<Part<R>>, StoreError> {
    let bytes = std::fs::read(path).map_err(StoreError::io("read", path))?;
    let Some(tables) = contents(&bytes) else {
        return Ok(None);
    };
    decode(tables).map(Some).map_err(StoreError::damaged(path))
}

fn encode<R: Record>(part: &Part<R>) -> PolarsResult<Vec<u8>> {
    let Part {
        rows,
        timings,
        traces,
    } = part;
    let tables = [
        to_parquet(R::columns(rows), rows.len())?,
        to_parquet(timing_columns(timings), timings.len())?,
        to_parquet(trace_columns(traces), traces.len())?,
    ];
    let mut body = Vec::new();
    for table in &tables {
        body.extend((table.len() as u64).to_le_bytes());
        body.extend(table);
    }
    Ok([HEAD, &Sha256::digest(&body)[..], &body].concat())
}

/// The rows, timings and traces in the bytes of a part file, if they are those that were written.
fn contents(bytes: &[u8]) -> Option<[&[u8]; 3]> {
    let (digest, mut body) = bytes.strip_prefix(HEAD)?.split_at_checked(DIGEST)?;
    if Sha256::digest(body)[..] != *digest {
        return None;
    }
    let mut tables = [&[][..]; 3];
    for table in &mut tables {
        let (length, rest) = body.split_first_chunk::<LENGTH>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        (*table, body) = rest.split_at_checked(length)?;
    }
    Some(tables)
}

fn decode<R: Record>([rows, timings, traces]: [&[u8]; 3]) -> PolarsResult<Part<R>> {
    Ok(Part {
        rows: rows_of(&from_parquet(rows.to_vec())?)?,
        timings: timings_of(&from_parquet(timings.to_vec())?)?,
        traces: traces_of(&from_parquet(traces.to_vec())?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::{Part, contents, encode};
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
        encode(&Part {
            rows: vec![row],
            timings: Vec::new(),
            traces: Vec::new(),
        })
        .expect("a row can be written")
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
