//! The content of a data file before its labels are understood, and the choice of its reader.

use super::super::{DataError, Format};
use super::csv_lines::CsvLines;
use super::wanted::Wanted;
use super::{RowUnit, csv, parquet, svmlight};
use ndarray::Array2;
use std::path::Path;

/// Numbers, and labels as they are written.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    /// How the file's format numbers rows.
    pub(crate) unit: RowUnit,
    /// The features' names (n).
    pub(crate) columns: Vec<String>,
    /// The features (L × n); NaN = missing, all others finite.
    pub(crate) values: Array2<f64>,
    /// The texts of the label column (L), `None` = missing; `None` if labels are not wanted.
    pub(crate) labels: Option<Vec<Option<String>>>,
}

impl Cells {
    /// Reads what is `wanted` of `bytes`, the content of the file `path`.
    ///
    /// # Errors
    /// A [`DataError`] that names the place.
    pub(crate) fn read(
        path: &Path,
        bytes: &[u8],
        format: Format,
        wanted: &Wanted<'_>,
    ) -> Result<Self, DataError> {
        match format {
            Format::Csv => csv::read(path, bytes, wanted),
            Format::Parquet => parquet::read(path, bytes, wanted),
            Format::Svmlight => svmlight::read_dense(path, bytes, wanted),
        }
    }

    /// The cells whose features are the given columns (n of L = `rows` values each).
    pub(super) fn from_columns(
        unit: RowUnit,
        rows: usize,
        features: Vec<(String, Vec<f64>)>,
        labels: Option<Vec<Option<String>>>,
    ) -> Self {
        let mut values = Array2::zeros((rows, features.len()));
        let mut columns = Vec::with_capacity(features.len());
        for (mut target, (name, column)) in values.columns_mut().into_iter().zip(features) {
            target.iter_mut().zip(column).for_each(|(t, v)| *t = v);
            columns.push(name);
        }
        Self {
            unit,
            columns,
            values,
            labels,
        }
    }
}

/// The names of the columns in `bytes`, the content of the file `path`; a LIBSVM file has `label` alone.
///
/// # Errors
/// A [`DataError`] if the file cannot be read.
pub(crate) fn column_names(
    path: &Path,
    bytes: &[u8],
    format: Format,
) -> Result<Vec<String>, DataError> {
    match format {
        Format::Csv => Ok(CsvLines::scan(path, bytes)?.header),
        Format::Parquet => parquet::column_names(path, bytes),
        Format::Svmlight => Ok(vec!["label".to_owned()]),
    }
}
