//! What every classifier of any number of classes does.

use crate::SolverError;
use ndarray::ArrayView2;

/// A trained classifier.
pub trait Classifier: Send + Sync {
    /// The class, numbered from 0, of each row of `x` (p × n).
    ///
    /// # Errors
    /// [`SolverError`] if `x` is not as wide as the training inputs, or has a value that is not finite, or so large that what is
    /// computed from it is not.
    fn predict(&self, x: ArrayView2<'_, f64>) -> Result<Vec<usize>, SolverError>;
}

/// The place of the largest value, the first of equal ones.
pub(crate) fn first_largest<T: PartialOrd>(values: impl IntoIterator<Item = T>) -> usize {
    let mut best: Option<(usize, T)> = None;
    for (k, value) in values.into_iter().enumerate() {
        if best.as_ref().is_none_or(|(_, largest)| value > *largest) {
            best = Some((k, value));
        }
    }
    best.map_or(0, |(k, _)| k)
}
