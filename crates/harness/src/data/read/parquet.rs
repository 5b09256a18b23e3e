//! Parquet: numeric or Boolean columns, nulls for missing values.

use super::super::DataError;
use super::RowUnit;
use super::cells::Cells;
use super::columns::Columns;
use super::wanted::{AskedBy, Wanted};
use polars::prelude::{
    Column, DataFrame, DataType, ParallelStrategy, ParquetReader, PolarsError, SerReader,
};
use std::io::Cursor;
use std::path::Path;

/// The cells in `bytes`, the content of the file `path`. Integers beyond ±2^53 are rounded.
pub(super) fn read(path: &Path, bytes: &[u8], wanted: &Wanted<'_>) -> Result<Cells, DataError> {
    let frame = frame(path, bytes)?;
    let names = names(&frame);
    let columns = Columns::find(path, &names, wanted)?;
    if frame.height() == 0 {
        return Err(DataError::NoRows {
            path: path.to_owned(),
        });
    }
    let asked_by = wanted.asked_by;
    let labels = columns
        .label
        .map(|label| label_texts(path, &frame.columns()[label], asked_by))
        .transpose()?;
    let mut features = Vec::with_capacity(columns.features.len());
    for column in columns.features {
        let name = names[column].clone();
        let values = numbers(path, &frame.columns()[column], asked_by)?;
        let values = finite(path, &name, values, 0)?;
        features.push((name, values));
    }
    let unit = RowUnit::Row;
    Ok(Cells::from_columns(unit, frame.height(), features, labels))
}

/// The names of the columns.
pub(super) fn column_names(path: &Path, bytes: &[u8]) -> Result<Vec<String>, DataError> {
    Ok(names(&frame(path, bytes)?))
}

fn names(frame: &DataFrame) -> Vec<String> {
    let columns = frame.columns().iter();
    columns.map(|column| column.name().to_string()).collect()
}

fn frame(path: &Path, bytes: &[u8]) -> Result<DataFrame, DataError> {
    if bytes.is_empty() {
        return Err(DataError::EmptyFile {
            path: path.to_owned(),
        });
    }
    ParquetReader::new(Cursor::new(bytes))
        .read_parallel(ParallelStrategy::None)
        .finish()
        .map_err(|source| unreadable(path, source))
}

pub(super) fn unreadable(path: &Path, source: PolarsError) -> DataError {
    DataError::Unreadable {
        path: path.to_owned(),
        format: "Parquet",
        source,
    }
}

/// The labels as texts, `None` for null.
pub(super) fn label_texts(
    path: &Path,
    column: &Column,
    asked_by: AskedBy,
) -> Result<Vec<Option<String>>, DataError> {
    if let Ok(texts) = column.str() {
        return Ok(texts.iter().map(|text| text.map(str::to_owned)).collect());
    }
    let values = numbers(path, column, asked_by)?.into_iter();
    Ok(values.map(|value| value.map(|v| v.to_string())).collect())
}

/// The column as numbers, `None` for null.
pub(super) fn numbers(
    path: &Path,
    column: &Column,
    asked_by: AskedBy,
) -> Result<Vec<Option<f64>>, DataError> {
    if !(column.dtype().is_primitive_numeric() || column.dtype().is_bool()) {
        return Err(DataError::NotNumeric {
            path: path.to_owned(),
            column: column.name().to_string(),
            found: column.dtype().to_string(),
            leave_out: asked_by.leave_out(column.name()),
        });
    }
    let cast = column.strict_cast(&DataType::Float64);
    let cast = cast.map_err(|source| unreadable(path, source))?;
    let values = cast.f64().map_err(|source| unreadable(path, source))?;
    Ok(values.iter().collect())
}

/// The values with NaN for null; NaN and infinity in the file are refused. They are those of the rows from `first_row` on.
pub(super) fn finite(
    path: &Path,
    name: &str,
    values: Vec<Option<f64>>,
    first_row: usize,
) -> Result<Vec<f64>, DataError> {
    let check = |(index, value): (usize, Option<f64>)| match value {
        None => Ok(f64::NAN),
        Some(value) if value.is_finite() => Ok(value),
        Some(value) => Err(DataError::Cell {
            path: path.to_owned(),
            place: RowUnit::Row.place(first_row + index),
            column: name.to_owned(),
            problem: format!(
                "`{value}` is not a value\n  = help: write null if the value is missing"
            ),
        }),
    };
    values.into_iter().enumerate().map(check).collect()
}
