//! Parquet files of columns, in memory and on disk.

use super::StoreError;
use super::file::write_atomically;
use polars::prelude::*;
use std::io::Cursor;
use std::path::Path;

/// `columns` of `height` rows as Parquet.
pub(super) fn to_parquet(columns: Vec<Column>, height: usize) -> PolarsResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut frame = DataFrame::new(height, columns)?;
    ParquetWriter::new(&mut bytes).finish(&mut frame)?;
    Ok(bytes)
}

/// As [`to_parquet`], of a file that will not be for long: larger, and made in less time.
pub(super) fn to_plain_parquet(columns: Vec<Column>, height: usize) -> PolarsResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut frame = DataFrame::new(height, columns)?;
    ParquetWriter::new(&mut bytes)
        .with_compression(ParquetCompression::Uncompressed)
        .with_statistics(StatisticsOptions::empty())
        .set_parallel(false)
        .finish(&mut frame)?;
    Ok(bytes)
}

/// What [`to_plain_parquet`] made of columns.
pub(super) fn from_plain_parquet(bytes: Vec<u8>) -> PolarsResult<DataFrame> {
    ParquetReader::new(Cursor::new(bytes))
        .read_parallel(ParallelStrategy::None)
        .finish()
}

/// Writes `columns` of `height` rows as Parquet.
pub(super) fn write_frame(
    path: &Path,
    columns: Vec<Column>,
    height: usize,
) -> Result<(), StoreError> {
    let bytes = to_parquet(columns, height).map_err(StoreError::damaged(path))?;
    write_atomically(path, &bytes).map_err(StoreError::io("write", path))
}

/// Reads a Parquet file.
pub(crate) fn read_frame(path: &Path) -> Result<DataFrame, StoreError> {
    let bytes = std::fs::read(path).map_err(StoreError::io("read", path))?;
    let reader = ParquetReader::new(Cursor::new(bytes));
    reader.finish().map_err(StoreError::damaged(path))
}
