//! A dataset of any number of classes.

use crate::CoreError;
use crate::check::{check_finite, check_length};
use ndarray::{Array2, Axis};

/// Inputs, and the class of each, of a task of C ≥ 2 classes numbered from 0.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledDataset {
    x: Array2<f64>,
    labels: Vec<usize>,
    classes: usize,
}

impl LabelledDataset {
    /// Inputs `x` (L × n) of the classes `labels` (L), each below `classes`. A class may be without rows.
    ///
    /// # Errors
    /// [`CoreError::Shape`] if the lengths differ, [`CoreError::NotFinite`] for a value that is not finite,
    /// [`CoreError::Parameter`] for fewer than two classes and for a label that is none of them.
    pub fn new(x: Array2<f64>, labels: Vec<usize>, classes: usize) -> Result<Self, CoreError> {
        check_length("labels", x.nrows(), labels.len())?;
        check_finite("inputs", x.view())?;
        if classes < 2 {
            return Err(CoreError::parameter("classes", "at least 2", classes));
        }
        if let Some(label) = labels.iter().find(|label| **label >= classes) {
            let expected = format!("below the number of classes, {classes}");
            return Err(CoreError::parameter("labels", expected, label));
        }
        Ok(Self { x, labels, classes })
    }

    /// The inputs (L × n).
    pub fn x(&self) -> &Array2<f64> {
        &self.x
    }

    /// The class of each row (L).
    pub fn labels(&self) -> &[usize] {
        &self.labels
    }

    /// C, the number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// L, the number of rows.
    pub fn rows(&self) -> usize {
        self.x.nrows()
    }

    /// n, the number of features.
    pub fn features(&self) -> usize {
        self.x.ncols()
    }

    /// How many rows each class has (C).
    pub fn class_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.classes];
        for label in &self.labels {
            sizes[*label] += 1;
        }
        sizes
    }

    /// The dataset of the given rows, in the order given, with all its classes.
    ///
    /// # Panics
    /// If a row does not exist.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        Self {
            x: self.x.select(Axis(0), rows),
            labels: rows.iter().map(|row| self.labels[*row]).collect(),
            classes: self.classes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LabelledDataset;
    use crate::CoreError;
    use ndarray::array;

    #[test]
    fn rows_are_selected_with_their_classes() {
        let x = array![[1.0], [2.0], [3.0]];
        let data = LabelledDataset::new(x, vec![2, 0, 2], 4).unwrap();
        assert_eq!(data.class_sizes(), [1, 0, 2, 0]);
        let some = data.select(&[2, 1]);
        assert_eq!(some.x(), array![[3.0], [2.0]]);
        assert_eq!((some.labels(), some.classes()), ([2, 0].as_slice(), 4));
    }

    #[test]
    fn what_is_no_task_is_refused() {
        let refused = |x, labels, classes| LabelledDataset::new(x, labels, classes).unwrap_err();
        let row = || array![[1.0]];
        assert!(matches!(refused(row(), vec![], 2), CoreError::Shape { .. }));
        assert!(matches!(
            refused(row(), vec![0], 1),
            CoreError::Parameter { .. }
        ));
        assert!(matches!(
            refused(row(), vec![2], 2),
            CoreError::Parameter { .. }
        ));
        let nan = array![[f64::NAN]];
        assert!(matches!(
            refused(nan, vec![0], 2),
            CoreError::NotFinite { .. }
        ));
    }
}
