//! The signs of directions.

use ndarray::Array2;

/// Turns each column so that its entry of largest size, the first of equal ones, is positive: the sign of an eigenvector is
/// arbitrary.
pub(crate) fn fix_signs(columns: &mut Array2<f64>) {
    for mut column in columns.columns_mut() {
        let mut largest = 0.0_f64;
        for value in &column {
            if value.abs() > largest.abs() {
                largest = *value;
            }
        }
        if largest < 0.0 {
            column.mapv_inplace(|value| -value);
        }
    }
}
