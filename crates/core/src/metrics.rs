//! Errors and accuracy of decision values. Throughout, a point is wrong iff `y f ≤ 0`: a decision value
//! of exactly 0 is an error.

use ndarray::ArrayView1;

/// The share of points with `y f ≤ 0` (or a decision value that is NaN), in [0, 1]; NaN for no points.
pub fn error_rate(decision: ArrayView1<'_, f64>, y: ArrayView1<'_, f64>) -> f64 {
    1.0 - accuracy(decision, y)
}

/// The share of points with `y f > 0`, in [0, 1]; NaN for no points.
///
/// # Panics
/// If the lengths differ.
pub fn accuracy(decision: ArrayView1<'_, f64>, y: ArrayView1<'_, f64>) -> f64 {
    assert_eq!(decision.len(), y.len(), "one decision value a label");
    let right = decision
        .iter()
        .zip(y)
        .filter(|(f, y)| *f * *y > 0.0)
        .count();
    right as f64 / y.len() as f64
}

#[cfg(test)]
mod tests {
    use super::{accuracy, error_rate};
    use ndarray::array;

    #[test]
    fn zero_and_nan_are_errors() {
        let y = array![1.0, 1.0, -1.0, -1.0];
        let f = array![0.0, 2.0, -0.5, f64::NAN];
        assert_eq!(accuracy(f.view(), y.view()), 0.5);
        assert_eq!(error_rate(f.view(), y.view()), 0.5);
    }
}
