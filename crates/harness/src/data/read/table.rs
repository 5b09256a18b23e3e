//! A multi-class table of numbers, and the choice of its reader.

use super::super::{DataError, Format, Manifest};
use super::{csv, parquet};
use ndarray::Array2;
use std::path::{Path, PathBuf};

/// The features and labels of a data file.
#[derive(Debug, Clone)]
pub struct Table {
    /// The data file.
    pub path: PathBuf,
    /// How the file's format numbers rows.
    pub unit: RowUnit,
    /// The features' names (n), in the file's order.
    pub columns: Vec<String>,
    /// The features (L × n); NaN = missing, all others finite.
    pub values: Array2<f64>,
    /// The label values (L), each a class of the manifest.
    pub labels: Vec<i64>,
}

/// How errors name a row of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowUnit {
    /// By the line it stands on, from 1; the header is line 1.
    Line,
    /// By its number, from 1.
    Row,
}

impl RowUnit {
    /// The place of the row with this index, from 0, in words.
    pub fn place(self, index: usize) -> String {
        match self {
            Self::Line => format!("line {}", index + 2),
            Self::Row => format!("row {}", index + 1),
        }
    }
}

impl Table {
    /// Reads `bytes`, the content of the data file `path`, as `manifest` declares.
    ///
    /// # Errors
    /// A [`DataError`] that names the place, if the file is not what its manifest says or has a cell that
    /// is neither empty nor a finite number.
    pub fn read(path: &Path, bytes: &[u8], manifest: &Manifest) -> Result<Self, DataError> {
        let table = match manifest.format {
            Format::Csv => csv::read(path, bytes, manifest)?,
            Format::Parquet => parquet::read(path, bytes, manifest)?,
        };
        for (what, declared, found) in [
            ("features", manifest.features, table.columns.len()),
            ("rows", manifest.rows, table.labels.len()),
        ] {
            if let Some(declared) = declared.filter(|declared| *declared != found) {
                return Err(DataError::Count {
                    path: path.to_owned(),
                    what,
                    declared,
                    found,
                });
            }
        }
        Ok(table)
    }

    /// The table whose features are the given columns (n of L values each).
    pub(super) fn from_columns(
        path: &Path,
        unit: RowUnit,
        features: Vec<(String, Vec<f64>)>,
        labels: Vec<i64>,
    ) -> Self {
        let mut values = Array2::zeros((labels.len(), features.len()));
        let mut columns = Vec::with_capacity(features.len());
        for (mut target, (name, column)) in values.columns_mut().into_iter().zip(features) {
            target.iter_mut().zip(column).for_each(|(t, v)| *t = v);
            columns.push(name);
        }
        let path = path.to_owned();
        Self {
            path,
            unit,
            columns,
            values,
            labels,
        }
    }
}
