//! A multi-class table of numbers, and the choice of its reader.

use super::super::{DataError, Manifest};
use super::cells::Cells;
use super::label::labels;
use super::wanted::Wanted;
use ndarray::Array2;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowUnit {
    /// By the line it stands on, from 1; the header is line 1.
    BelowHeader,
    /// By the line it stands on, from 1; there are other lines between.
    Lines(Arc<[usize]>),
    /// By its number, from 1.
    Row,
}

impl RowUnit {
    /// The place of the row with this index, from 0, in words.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn place(&self, index: usize) -> String {
        match self {
            Self::BelowHeader => format!("line {}", index + 2),
            Self::Lines(lines) => format!("line {}", lines[index]),
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
        let wanted = Wanted::by_manifest(manifest);
        let cells = Cells::read(path, bytes, manifest.format, &wanted)?;
        let texts = cells.labels.as_deref().unwrap_or_default();
        let texts = texts.iter().map(Option::as_deref);
        let table = Self {
            path: path.to_owned(),
            labels: labels(path, &cells.unit, texts, manifest)?,
            unit: cells.unit,
            columns: cells.columns,
            values: cells.values,
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
}
