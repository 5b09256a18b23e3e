//! What every exact-kernel method asks of its input.

use crate::SolverError;
use crate::problem::check_training_set;
use ndarray::{ArrayView1, ArrayView2};
use robust_svm_core::kernel::GaussianKernel;

/// A training set as of every classifier, at least one input column, and a bandwidth within the range of numbers.
pub(super) fn check_input(
    kernel: GaussianKernel,
    x: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    lambda: f64,
) -> Result<(), SolverError> {
    check_training_set("inputs", x.into(), y, lambda)?;
    if x.ncols() == 0 {
        return Err(SolverError::Shape {
            what: "input columns",
            expected: 1,
            found: 0,
        });
    }
    let sigma = kernel.sigma();
    let expected = "such that 2 sigma² is positive and finite";
    check_positive("sigma", expected, 2.0 * sigma * sigma, sigma)
}

/// That `value` is positive and finite; the error shows `shown`.
pub(super) fn check_positive(
    name: &'static str,
    expected: &'static str,
    value: f64,
    shown: f64,
) -> Result<(), SolverError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(SolverError::Setting {
        name,
        expected,
        found: format!("{shown:e}"),
    })
}
