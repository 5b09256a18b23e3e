//! What every classifier of labelled data asks of its input.

use crate::SolverError;
use crate::problem::check_length;
use ndarray::ArrayView2;

/// That the rows to classify are `n` wide, as the training inputs were, and finite.
pub(crate) fn check_rows(x: ArrayView2<'_, f64>, n: usize) -> Result<(), SolverError> {
    check_length("width of the inputs", n, x.ncols())?;
    check_all_finite("inputs", x)
}

/// That a kernel matrix is finite: squares of huge inputs overflow.
pub(crate) fn check_gram(gram: ArrayView2<'_, f64>) -> Result<(), SolverError> {
    check_all_finite("kernel matrix", gram)
}

/// That every value is finite.
pub(crate) fn check_all_finite(
    what: &'static str,
    values: ArrayView2<'_, f64>,
) -> Result<(), SolverError> {
    match values.indexed_iter().find(|(_, v)| !v.is_finite()) {
        Some(((row, column), _)) => Err(SolverError::NotFinite { what, row, column }),
        None => Ok(()),
    }
}
