//! Parquet: numeric or Boolean columns, nulls for missing values.

use super::super::DataError;
use super::RowUnit;
use super::cells::Cells;
use super::columns::Columns;
use super::labels::Labels;
use super::range::{is_value, too_large};
use super::wanted::{AskedBy, Wanted};
use polars::prelude::{
    ArrowDataType, ArrowSchema, Column, DataType, Float64Chunked, ParallelStrategy, ParquetReader,
    PolarsError, SerReader,
};
use std::io::Cursor;
use std::path::Path;

/// The cells in `bytes`, the content of the file `path`. Integers beyond ±2^53 are rounded.
pub(super) fn read(path: &Path, bytes: &[u8], wanted: &Wanted<'_>) -> Result<Cells, DataError> {
    let mut reader = reader(path, bytes)?;
    let schema = reader.schema().map_err(|source| unreadable(path, source))?;
    let names = names(&schema);
    let columns = Columns::find(path, &names, wanted)?;
    let asked_by = wanted.asked_by;
    check_types(path, &schema, &columns, asked_by)?;
    let frame = reader
        .read_parallel(ParallelStrategy::None)
        .with_projection(Some(columns.all()))
        .finish()
        .map_err(|source| unreadable(path, source))?;
    if frame.height() == 0 {
        return Err(DataError::NoRows {
            path: path.to_owned(),
        });
    }
    let column = |position: usize| {
        let found = frame.column(&names[position]);
        found.map_err(|source| unreadable(path, source))
    };
    let labels = columns
        .label
        .map(|label| labels(path, column(label)?, asked_by))
        .transpose()?;
    let mut features = Vec::with_capacity(columns.features.len());
    for position in columns.features {
        let values = values(path, column(position)?, asked_by, 0)?;
        features.push((names[position].clone(), values));
    }
    let unit = RowUnit::Row;
    let labels = labels.map(Labels::into_texts);
    Ok(Cells::from_columns(unit, frame.height(), features, labels))
}

/// The names of the columns.
pub(super) fn column_names(path: &Path, bytes: &[u8]) -> Result<Vec<String>, DataError> {
    let schema = reader(path, bytes)?.schema();
    let schema = schema.map_err(|source| unreadable(path, source))?;
    Ok(names(&schema))
}

pub(super) fn names(schema: &ArrowSchema) -> Vec<String> {
    schema.iter_names().map(ToString::to_string).collect()
}

fn reader<'a>(path: &Path, bytes: &'a [u8]) -> Result<ParquetReader<Cursor<&'a [u8]>>, DataError> {
    if bytes.is_empty() {
        return Err(DataError::EmptyFile {
            path: path.to_owned(),
        });
    }
    Ok(ParquetReader::new(Cursor::new(bytes)))
}

/// That the columns wanted are of numbers, truth values, texts or bytes: of most other types polars is built without, and names no column.
pub(super) fn check_types(
    path: &Path,
    schema: &ArrowSchema,
    columns: &Columns,
    asked_by: AskedBy,
) -> Result<(), DataError> {
    use ArrowDataType as Type;
    for position in columns.all() {
        let (name, field) = schema.get_at_index(position).expect("a column found there");
        match field.dtype() {
            Type::Null
            | Type::Boolean
            | Type::Int8
            | Type::Int16
            | Type::Int32
            | Type::Int64
            | Type::UInt8
            | Type::UInt16
            | Type::UInt32
            | Type::UInt64
            | Type::Float32
            | Type::Float64
            | Type::Utf8
            | Type::LargeUtf8
            | Type::Utf8View
            | Type::Binary
            | Type::LargeBinary
            | Type::BinaryView
            | Type::FixedSizeBinary(_)
            | Type::Dictionary(..) => {}
            other => {
                let found = format!("{other:?}");
                // Without what it is made of.
                let found = found.split('(').next().unwrap_or(&found).to_owned();
                let is_label = columns.label == Some(position);
                return Err(not_numeric(path, name, found, asked_by, is_label));
            }
        }
    }
    Ok(())
}

/// That `column` is of another type than numbers, with what can be done about it: the label cannot be left out.
fn not_numeric(
    path: &Path,
    column: &str,
    found: String,
    asked_by: AskedBy,
    is_label: bool,
) -> DataError {
    let leave_out = if is_label {
        String::new()
    } else {
        asked_by.leave_out(column)
    };
    DataError::NotNumeric {
        path: path.to_owned(),
        column: column.to_owned(),
        found,
        leave_out,
    }
}

pub(super) fn unreadable(path: &Path, source: PolarsError) -> DataError {
    DataError::Unreadable {
        path: path.to_owned(),
        format: "Parquet",
        source,
    }
}

/// The labels, as texts where they are texts or as numbers are written; missing for null.
pub(super) fn labels(path: &Path, column: &Column, asked_by: AskedBy) -> Result<Labels, DataError> {
    if let Ok(texts) = column.str() {
        return Ok(Labels::new(texts.iter(), str::to_owned));
    }
    let numbers = numbers(path, column, asked_by, true)?;
    let bits = numbers.iter().map(|value| value.map(f64::to_bits));
    Ok(Labels::new(bits, |bits| f64::from_bits(bits).to_string()))
}

/// The column as numbers.
fn numbers(
    path: &Path,
    column: &Column,
    asked_by: AskedBy,
    is_label: bool,
) -> Result<Float64Chunked, DataError> {
    if !(column.dtype().is_primitive_numeric() || column.dtype().is_bool()) {
        let (name, found) = (column.name(), column.dtype().to_string());
        return Err(not_numeric(path, name, found, asked_by, is_label));
    }
    let cast = column.strict_cast(&DataType::Float64);
    let cast = cast.map_err(|source| unreadable(path, source))?;
    let values = cast.f64().map_err(|source| unreadable(path, source))?;
    Ok(values.clone())
}

/// The column as numbers with NaN for null; NaN and infinity in the file are refused. They are those of the rows from `first_row` on.
pub(super) fn values(
    path: &Path,
    column: &Column,
    asked_by: AskedBy,
    first_row: usize,
) -> Result<Vec<f64>, DataError> {
    let mut found = Vec::with_capacity(column.len());
    match column.f32() {
        Ok(single) if single.null_count() == 0 => {
            for chunk in single.downcast_iter() {
                found.extend(chunk.values().iter().map(|v| f64::from(*v)));
            }
        }
        _ => {
            let numbers = numbers(path, column, asked_by, false)?;
            if numbers.null_count() > 0 {
                return with_nulls(path, &numbers, first_row);
            }
            for chunk in numbers.downcast_iter() {
                found.extend_from_slice(chunk.values().as_slice());
            }
        }
    }
    // Without a way out early, which would keep the compiler from looking at many at once.
    if found.iter().fold(true, |all, v| all & is_value(*v)) {
        return Ok(found);
    }
    let bad = found.iter().position(|v| !is_value(*v));
    let index = bad.expect("one that is none");
    Err(no_value(
        path,
        column.name(),
        first_row + index,
        found[index],
    ))
}

fn with_nulls(
    path: &Path,
    numbers: &Float64Chunked,
    first_row: usize,
) -> Result<Vec<f64>, DataError> {
    let value = |(index, value): (usize, Option<f64>)| match value {
        None => Ok(f64::NAN),
        Some(value) if is_value(value) => Ok(value),
        Some(value) => Err(no_value(path, numbers.name(), first_row + index, value)),
    };
    numbers.iter().enumerate().map(value).collect()
}

fn no_value(path: &Path, column: &str, row: usize, value: f64) -> DataError {
    DataError::Cell {
        path: path.to_owned(),
        place: RowUnit::Row.place(row),
        column: column.to_owned(),
        problem: if value.is_finite() {
            too_large(&format!("{value:e}"))
        } else {
            format!("`{value}` is not a value\n  = help: write null if the value is missing")
        },
    }
}
