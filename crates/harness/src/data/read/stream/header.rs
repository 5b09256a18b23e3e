//! What a file's header tells before its rows are read.

use super::super::super::{DataError, Format};
use super::super::columns::Columns;
use super::super::csv_lines::header;
use super::super::wanted::Wanted;
use super::lines::Trimmed;
use super::parquet::ParquetBlocks;
use std::path::Path;

/// That the file `path` has the columns `wanted`, as far as its header tells: LIBSVM files have none, and of a file without a
/// line the reader of its rows tells.
///
/// # Errors
/// A [`DataError`] if the header is faulty or a column is not there.
pub(crate) fn check_columns(
    path: &Path,
    format: Format,
    wanted: &Wanted<'_>,
) -> Result<(), DataError> {
    match format {
        Format::Csv => {
            let mut line = String::new();
            if Trimmed::open(path)?.next(&mut line)?.is_some() {
                Columns::find(path, &header(path, &line)?, wanted)?;
            }
            Ok(())
        }
        Format::Parquet => ParquetBlocks::open(path, wanted).map(|_| ()),
        Format::Svmlight => Ok(()),
    }
}
