//! Kernel ridge regression on one-hot targets, as a classifier of any number of classes.
//!
//! For each class c `min ½ Σ(f_c(x_i) − t_ic)² + λ/2 ‖f_c‖²`, `t_ic = 1` for the rows of the class and 0 for the others,
//! without intercept: `A = (K + λI)⁻¹T` of one Cholesky factor for all classes. The class of x is that of the largest
//! `f_c(x)`, the first of equal ones. Leaving one out is as in [`crate::fit_kernel_ridge`], column by column:
//! `f_c⁻ⁱ(x_i) = −Σ_{j≠i} G_ijt_jc/G_ii`, `G = (K + λI)⁻¹`; as `t_jc` is the class of j that sum is over the rows of c.

use crate::classifier::first_largest;
use crate::multiclass::{check_all_finite, check_gram, check_rows};
use crate::{Classifier, SolverError};
use ndarray::{Array2, ArrayView2, Axis};
use robust_svm_core::data::LabelledDataset;
use robust_svm_core::distribution::InputKernel;
use robust_svm_core::linalg::{matmul, positive_definite_solve};

/// Rows classified at a time.
const BLOCK: usize = 512;

/// A kernel ridge classifier of C classes.
#[derive(Debug, Clone)]
pub struct MulticlassRidge {
    kernel: InputKernel,
    x: Array2<f64>,
    /// The coefficients A (L × C) of the training points, a column for each class.
    pub alpha: Array2<f64>,
    /// `f_c⁻ⁱ(x_i)` (L × C), f⁻ⁱ the fit without sample i.
    pub leave_one_out: Array2<f64>,
    /// The share of samples that the fit without them puts into a wrong class.
    pub leave_one_out_error: f64,
}

/// Trains a kernel ridge classifier, λ > 0. A class without rows has f = 0.
///
/// Takes O(L³) time and O(L²) memory.
///
/// # Errors
/// [`SolverError`] for λ that is not positive and finite, no input columns, rows of one class only, inputs so large that their
/// kernel overflows; [`SolverError::NotPositiveDefinite`] if λ is so small that K + λI is singular to rounding.
pub fn fit_multiclass_ridge(
    kernel: InputKernel,
    data: &LabelledDataset,
    lambda: f64,
) -> Result<MulticlassRidge, SolverError> {
    check(data, lambda)?;
    let x = data.x().view();
    let mut ridged = kernel.at_points(x, x);
    check_gram(ridged.view())?;
    ridged.diag_mut().mapv_inplace(|k| k + lambda);
    let g = positive_definite_solve(ridged, Array2::eye(data.rows()))
        .map_err(|_| SolverError::NotPositiveDefinite { lambda })?;
    // α_ic = Σ_j G_ijt_jc; without j = i that is −G_ii f_c⁻ⁱ(x_i).
    let mut others = Array2::<f64>::zeros((data.rows(), data.classes()));
    for (i, (mut row, g)) in others.outer_iter_mut().zip(g.outer_iter()).enumerate() {
        for (j, (&class, g)) in data.labels().iter().zip(g).enumerate() {
            if j != i {
                row[class] += g;
            }
        }
    }
    let diagonal = g.diag().insert_axis(Axis(1));
    let leave_one_out = -&others / diagonal;
    let mut alpha = others;
    for (i, &class) in data.labels().iter().enumerate() {
        alpha[(i, class)] += g[(i, i)];
    }
    let predicted = leave_one_out.outer_iter().map(first_largest);
    let wrong = predicted.zip(data.labels()).filter(|(c, l)| c != *l);
    let leave_one_out_error = wrong.count() as f64 / data.rows() as f64;
    Ok(MulticlassRidge {
        kernel,
        x: data.x().clone(),
        alpha,
        leave_one_out,
        leave_one_out_error,
    })
}

impl MulticlassRidge {
    /// `f_c(x)` (p × C) at the rows of `x` (p × n).
    ///
    /// # Errors
    /// As [`Classifier::predict`]; [`SolverError::NotFinite`] too for inputs so large that their kernel overflows.
    pub fn decisions(&self, x: ArrayView2<'_, f64>) -> Result<Array2<f64>, SolverError> {
        check_rows(x, self.x.ncols())?;
        let mut decisions = Array2::zeros((x.nrows(), self.alpha.ncols()));
        let blocks = decisions.axis_chunks_iter_mut(Axis(0), BLOCK);
        for (mut block, x) in blocks.zip(x.axis_chunks_iter(Axis(0), BLOCK)) {
            let kernels = self.kernel.at_points(x, self.x.view());
            block.assign(&matmul(kernels.view(), self.alpha.view()));
        }
        check_all_finite("decision values", decisions.view())?;
        Ok(decisions)
    }
}

impl Classifier for MulticlassRidge {
    fn predict(&self, x: ArrayView2<'_, f64>) -> Result<Vec<usize>, SolverError> {
        let decisions = self.decisions(x)?;
        Ok(decisions.outer_iter().map(first_largest).collect())
    }
}

fn check(data: &LabelledDataset, lambda: f64) -> Result<(), SolverError> {
    if !(lambda > 0.0 && lambda.is_finite()) {
        return Err(SolverError::Lambda(lambda));
    }
    if data.features() == 0 {
        return Err(SolverError::Shape {
            what: "input columns",
            expected: 1,
            found: 0,
        });
    }
    if data.class_sizes().iter().filter(|size| **size > 0).count() < 2 {
        return Err(SolverError::OneClass { rows: data.rows() });
    }
    Ok(())
}
