//! Linear projections.

use crate::SolverError;
use crate::multiclass::check_rows;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use robust_svm_core::linalg::matmul;

/// `x ↦ Cᵀ(x − m)` from R^n to R^d.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    /// m (n).
    pub mean: Array1<f64>,
    /// C (n × d), a column for each component.
    pub components: Array2<f64>,
}

impl Projection {
    /// The rows of `x` (p × n) projected (p × d).
    ///
    /// # Errors
    /// [`SolverError`] if `x` is not as wide as the training inputs, or has a value that is not finite.
    pub fn project(&self, x: ArrayView2<'_, f64>) -> Result<Array2<f64>, SolverError> {
        check_rows(x, self.mean.len())?;
        let centred = &x - &self.mean;
        Ok(matmul(centred.view(), self.components.view()))
    }
}

/// That there are rows and columns, every value is finite, and 1 ≤ d ≤ n.
pub(super) fn check_training_rows(
    x: ArrayView2<'_, f64>,
    dimension: usize,
) -> Result<(), SolverError> {
    for (what, found) in [("training rows", x.nrows()), ("input columns", x.ncols())] {
        if found == 0 {
            return Err(SolverError::Shape {
                what,
                expected: 1,
                found,
            });
        }
    }
    check_rows(x, x.ncols())?;
    check_setting(
        "dimension",
        "at least 1 and at most the number of input columns",
        (1..=x.ncols()).contains(&dimension),
        &dimension,
    )
}

/// That a setting is what was `expected`.
pub(super) fn check_setting(
    name: &'static str,
    expected: &'static str,
    holds: bool,
    found: &impl ToString,
) -> Result<(), SolverError> {
    if holds {
        return Ok(());
    }
    Err(SolverError::Setting {
        name,
        expected,
        found: found.to_string(),
    })
}

/// The mean row, and the rows less it.
pub(super) fn centred(x: ArrayView2<'_, f64>) -> (Array1<f64>, Array2<f64>) {
    let mean = x.mean_axis(Axis(0)).expect("at least one row");
    let centred = &x - &mean;
    (mean, centred)
}
