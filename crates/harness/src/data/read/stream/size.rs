//! How large a file is as a table, before it is read.

use super::super::super::{DataError, Format};
use super::super::csv_lines::cells;
use super::super::svmlight::Rows;
use polars::prelude::{ParquetReader, SerReader as _};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Bytes of a text file that its size is estimated from.
const SAMPLE: u64 = 1 << 20;

/// Rows and columns of a file. Those of a text file are estimated from its first lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

/// The size of the file `path`; 0 × 0 where it cannot be told, as of a file with faults, which its reader tells of.
///
/// # Errors
/// [`DataError::Io`] if the file cannot be read.
pub(crate) fn size_of(path: &Path, format: Format, first_index: usize) -> Result<Size, DataError> {
    let io = |source| DataError::Io {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(io)?;
    let bytes = file.metadata().map_err(io)?.len();
    let unknown = Size {
        rows: 0,
        columns: 0,
    };
    if bytes == 0 {
        return Ok(unknown);
    }
    if format == Format::Parquet {
        let mut reader = ParquetReader::new(file);
        let (Ok(rows), Ok(schema)) = (reader.num_rows(), reader.schema()) else {
            return Ok(unknown);
        };
        let columns = schema.len();
        return Ok(Size { rows, columns });
    }
    let mut sample = Vec::new();
    file.take(SAMPLE).read_to_end(&mut sample).map_err(io)?;
    // A line that is cut off is none, unless it is all there is.
    let whole = sample.iter().rposition(|byte| *byte == b'\n');
    let whole = whole.map_or(sample.len(), |end| end + 1);
    let Ok(text) = std::str::from_utf8(&sample[..whole]) else {
        return Ok(unknown);
    };
    let lines = text.lines().count().max(1);
    let rows = bytes as f64 / whole as f64 * lines as f64;
    let columns = match format {
        Format::Csv => text.lines().next().and_then(|line| cells(line).ok()),
        Format::Svmlight | Format::Parquet => None,
    };
    let columns = match columns {
        Some(cells) => cells.len(),
        None => width(path, text, first_index),
    };
    Ok(Size {
        rows: rows as usize,
        columns,
    })
}

/// The largest position in the lines of a LIBSVM file; those with faults are left to its reader.
fn width(path: &Path, text: &str, first_index: usize) -> usize {
    let mut rows = Rows::default();
    for (number, line) in (1..).zip(text.lines()) {
        if rows.add_line(path, number, line, first_index).is_err() {
            break;
        }
    }
    rows.width
}
