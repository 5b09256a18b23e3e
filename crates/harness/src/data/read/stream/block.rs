//! Some rows of a data file.

use super::super::RowUnit;
use super::super::labels::Labels;
use ndarray::Array2;

/// Rows that follow each other in a data file: numbers, and labels as they are written.
#[derive(Debug, Clone)]
pub(crate) struct CellBlock {
    /// How many rows of the file are before these.
    pub(crate) first_row: usize,
    /// How the file's format numbers rows; the lines of a LIBSVM file are those of these rows.
    pub(super) unit: RowUnit,
    /// The features (rows × n); NaN = missing, all others finite.
    pub(crate) values: Array2<f64>,
    /// The label column (rows); `None` if labels are not wanted.
    pub(crate) labels: Option<Labels>,
}

impl CellBlock {
    /// The place in the file of the row with this index in the block, from 0, in words.
    ///
    /// # Panics
    /// If there is no such row.
    pub(crate) fn place(&self, index: usize) -> String {
        match &self.unit {
            RowUnit::Lines(_) => self.unit.place(index),
            RowUnit::BelowHeader | RowUnit::Row => self.unit.place(self.first_row + index),
        }
    }
}
