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
