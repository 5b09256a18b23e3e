//! Checks of what callers hand in.

use crate::CoreError;
use crate::vector_math::Real;
use ndarray::ArrayView2;

/// That every number is finite.
pub(crate) fn check_finite<T: Real>(
    what: &'static str,
    values: ArrayView2<'_, T>,
) -> Result<(), CoreError> {
    match values.indexed_iter().find(|(_, v)| !v.is_finite()) {
        Some(((row, column), _)) => Err(CoreError::NotFinite { what, row, column }),
        None => Ok(()),
    }
}

/// That `found` is `expected`.
pub(crate) fn check_length(
    what: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), CoreError> {
    if expected == found {
        Ok(())
    } else {
        Err(CoreError::Shape {
            what,
            expected,
            found,
        })
    }
}
