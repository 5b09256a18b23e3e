//! Comma-separated values: a header, one row a line, empty cells for missing values.

use super::super::DataError;
use super::RowUnit;
use super::cells::Cells;
use super::columns::Columns;
use super::csv_lines::CsvLines;
use super::range::{is_value, too_large};
use super::wanted::{AskedBy, Wanted};
use polars::prelude::{Column, CsvReadOptions, DataFrame, PolarsError, SerReader, StringChunked};
use std::io::Cursor;
use std::path::Path;

/// The cells in `bytes`, the content of the file `path`.
pub(super) fn read(path: &Path, bytes: &[u8], wanted: &Wanted<'_>) -> Result<Cells, DataError> {
    let lines = CsvLines::scan(path, bytes)?;
    let columns = Columns::find(path, &lines.header, wanted)?;
    let frame = split_into_columns(path, &lines)?;
    let texts = |column: usize| texts(path, &frame.columns()[column]);
    let labels = columns.label.map(|label| -> Result<_, DataError> {
        let cells = texts(label)?.iter();
        Ok(cells.map(|cell| cell.map(str::to_owned)).collect())
    });
    let labels = labels.transpose()?;
    let mut features = Vec::with_capacity(columns.features.len());
    for column in columns.features {
        let name = lines.header[column].clone();
        let values = numbers(path, &name, texts(column)?, wanted.asked_by)?;
        features.push((name, values));
    }
    let unit = RowUnit::BelowHeader;
    Ok(Cells::from_columns(unit, lines.rows, features, labels))
}

/// The columns below the header, as texts: conversion is ours, so that its errors know the line.
fn split_into_columns(path: &Path, lines: &CsvLines<'_>) -> Result<DataFrame, DataError> {
    let all_texts = Some(0);
    let frame = CsvReadOptions::default()
        .with_infer_schema_length(all_texts)
        .with_n_threads(Some(1))
        .into_reader_with_file_handle(Cursor::new(lines.text.as_bytes()))
        .finish()
        .map_err(|source| unreadable(path, source))?;
    if frame.shape() == (lines.rows, lines.header.len()) {
        return Ok(frame);
    }
    let message = format!(
        "split into {:?} rows and columns, expected {:?}",
        frame.shape(),
        (lines.rows, lines.header.len())
    );
    Err(unreadable(path, PolarsError::ComputeError(message.into())))
}

fn texts<'a>(path: &Path, column: &'a Column) -> Result<&'a StringChunked, DataError> {
    column.str().map_err(|source| unreadable(path, source))
}

fn unreadable(path: &Path, source: PolarsError) -> DataError {
    DataError::Unreadable {
        path: path.to_owned(),
        format: "CSV",
        source,
    }
}

/// The numbers of the feature column `name`.
fn numbers(
    path: &Path,
    name: &str,
    texts: &StringChunked,
    asked_by: AskedBy,
) -> Result<Vec<f64>, DataError> {
    let mend = asked_by.mend_cell(name);
    let cells = texts.iter().enumerate();
    cells
        .map(|(index, cell)| {
            let cell = cell.unwrap_or_default().trim();
            number(cell, &mend).map_err(|problem| DataError::Cell {
                path: path.to_owned(),
                place: RowUnit::BelowHeader.place(index),
                column: name.to_owned(),
                problem,
            })
        })
        .collect()
}

/// The number in `cell`, NaN if it is empty; else what is wrong with it, and `mend`, what to do.
pub(super) fn number(cell: &str, mend: &str) -> Result<f64, String> {
    if cell.is_empty() {
        return Ok(f64::NAN);
    }
    match cell.parse::<f64>() {
        Ok(value) if is_value(value) => Ok(value),
        Ok(value) if value.is_finite() => Err(too_large(cell)),
        Ok(_) if cell.contains(|c: char| c.is_ascii_digit()) => {
            Err(format!("`{cell}` is too large for a 64-bit number"))
        }
        Ok(_) => Err(format!(
            "`{cell}` is not a value\n  = help: leave the cell empty if the value is missing"
        )),
        Err(_) => Err(format!(
            "expected a number, found `{cell}`\n  = help: {mend}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_as_programs_write_them() {
        for (cell, value) in [("-1.5", -1.5), ("+2", 2.0), ("1e-3", 1e-3), (".5", 0.5)] {
            assert_eq!(number(cell, ""), Ok(value));
        }
        assert!(number("", "").unwrap().is_nan());
        for bad in ["NaN", "-inf", "Infinity", "1e999", "1,5", "0x10", "1 2"] {
            assert!(number(bad, "").is_err(), "{bad}");
        }
    }
}
