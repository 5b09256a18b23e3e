//! A binary classification dataset.

use crate::CoreError;
use ndarray::{Array1, Array2, Axis};

/// Inputs and labels of a binary task.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    x: Array2<f64>,
    y: Array1<f64>,
}

impl Dataset {
    /// Inputs `x` (L × n) with labels `y` (L) in {−1, +1}. NaN stands for a missing value; infinite
    /// values are refused.
    ///
    /// # Errors
    /// [`CoreError::Shape`] if the lengths differ, [`CoreError::NotFinite`] for an infinite value,
    /// [`CoreError::Parameter`] for a label that is not ±1.
    pub fn new(x: Array2<f64>, y: Array1<f64>) -> Result<Self, CoreError> {
        if x.nrows() != y.len() {
            return Err(CoreError::Shape {
                what: "labels",
                expected: x.nrows(),
                found: y.len(),
            });
        }
        if let Some(((row, column), _)) = x.indexed_iter().find(|(_, v)| v.is_infinite()) {
            return Err(CoreError::NotFinite {
                what: "inputs",
                row,
                column,
            });
        }
        if let Some(label) = y.iter().find(|y| y.abs() != 1.0) {
            return Err(CoreError::parameter("labels", "−1 or +1", label));
        }
        Ok(Self { x, y })
    }

    /// The inputs (L × n).
    pub fn x(&self) -> &Array2<f64> {
        &self.x
    }

    /// The labels (L).
    pub fn y(&self) -> &Array1<f64> {
        &self.y
    }

    /// L, the number of rows.
    pub fn rows(&self) -> usize {
        self.x.nrows()
    }

    /// n, the number of features.
    pub fn features(&self) -> usize {
        self.x.ncols()
    }

    /// The dataset of the given rows, in the order given.
    ///
    /// # Panics
    /// If a row does not exist.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        Self {
            x: self.x.select(Axis(0), rows),
            y: self.y.select(Axis(0), rows),
        }
    }

    /// Whether both classes occur.
    pub fn has_both_classes(&self) -> bool {
        self.y.iter().any(|y| *y > 0.0) && self.y.iter().any(|y| *y < 0.0)
    }
}
