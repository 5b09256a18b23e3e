//! Parquet: numeric or Boolean columns, nulls for missing values.

use super::super::{DataError, Manifest};
use super::columns::Columns;
use super::label::labels;
use super::{RowUnit, Table};
use polars::prelude::{
    Column, DataFrame, DataType, ParallelStrategy, ParquetReader, PolarsError, SerReader,
};
use std::io::Cursor;
use std::path::Path;

/// The table in `bytes`, the content of the file `path`. Integers beyond ±2^53 are rounded.
pub(super) fn read(path: &Path, bytes: &[u8], manifest: &Manifest) -> Result<Table, DataError> {
    let empty = || DataError::EmptyFile {
        path: path.to_owned(),
    };
    let frame = (!bytes.is_empty()).then(|| frame(path, bytes));
    let frame = frame.ok_or_else(empty)??;
    let names: Vec<String> = frame
        .columns()
        .iter()
        .map(|column| column.name().to_string())
        .collect();
    let columns = Columns::find(path, &names, manifest)?;
    if frame.height() == 0 {
        return Err(DataError::NoRows {
            path: path.to_owned(),
        });
    }
    let values = |column: usize| numbers(path, &frame.columns()[column]);
    let label_texts: Vec<Option<String>> = values(columns.label)?
        .into_iter()
        .map(|value| value.map(|v| v.to_string()))
        .collect();
    let label_texts = label_texts.iter().map(Option::as_deref);
    let labels = labels(path, RowUnit::Row, label_texts, manifest)?;
    let mut features = Vec::with_capacity(columns.features.len());
    for column in columns.features {
        let name = names[column].clone();
        let values = finite(path, &name, values(column)?)?;
        features.push((name, values));
    }
    Ok(Table::from_columns(path, RowUnit::Row, features, labels))
}

fn frame(path: &Path, bytes: &[u8]) -> Result<DataFrame, DataError> {
    ParquetReader::new(Cursor::new(bytes))
        .read_parallel(ParallelStrategy::None)
        .finish()
        .map_err(|source| unreadable(path, source))
}

fn unreadable(path: &Path, source: PolarsError) -> DataError {
    DataError::Unreadable {
        path: path.to_owned(),
        format: "Parquet",
        source,
    }
}

/// The column as numbers, `None` for null.
fn numbers(path: &Path, column: &Column) -> Result<Vec<Option<f64>>, DataError> {
    if !(column.dtype().is_primitive_numeric() || column.dtype().is_bool()) {
        return Err(DataError::NotNumeric {
            path: path.to_owned(),
            column: column.name().to_string(),
            found: column.dtype().to_string(),
        });
    }
    let cast = column.strict_cast(&DataType::Float64);
    let cast = cast.map_err(|source| unreadable(path, source))?;
    let values = cast.f64().map_err(|source| unreadable(path, source))?;
    Ok(values.iter().collect())
}

/// The values with NaN for null; NaN and infinity in the file are refused.
fn finite(path: &Path, name: &str, values: Vec<Option<f64>>) -> Result<Vec<f64>, DataError> {
    let check = |(index, value): (usize, Option<f64>)| match value {
        None => Ok(f64::NAN),
        Some(value) if value.is_finite() => Ok(value),
        Some(value) => Err(DataError::Cell {
            path: path.to_owned(),
            place: RowUnit::Row.place(index),
            column: name.to_owned(),
            problem: format!(
                "`{value}` is not a value\n  = help: write null if the value is missing"
            ),
        }),
    };
    values.into_iter().enumerate().map(check).collect()
}
