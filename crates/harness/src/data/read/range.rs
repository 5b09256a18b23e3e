//! Which numbers are values.

/// The largest magnitude of a value: scaling sums squares, which are finite for 10⁸ rows of it.
pub(super) const LARGEST: f64 = 1e150;

/// Whether `value` is a number that can be scaled.
pub(super) fn is_value(value: f64) -> bool {
    value.abs() <= LARGEST
}

/// What is wrong with `value`, as the file has it, that is finite and none.
pub(super) fn too_large(value: &str) -> String {
    format!(
        "`{value}` is too large: values are at most {LARGEST:e} in magnitude, so that their squares can be summed\n  \
         = help: give the column in another unit, or leave the row out"
    )
}

#[cfg(test)]
mod tests {
    use super::{LARGEST, is_value};

    #[test]
    fn numbers_that_can_be_scaled() {
        for value in [0.0, -1.5, LARGEST, -LARGEST, f64::MIN_POSITIVE] {
            assert!(is_value(value), "{value}");
        }
        for value in [1.1e150, -1e200, f64::INFINITY, f64::NAN] {
            assert!(!is_value(value), "{value}");
        }
        assert!((LARGEST * LARGEST * 1e8).is_finite());
    }
}
