//! The generalised eigenproblem of a graph embedding.

use crate::SolverError;
use crate::signs::fix_signs;
use crate::top_eigen::largest;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use robust_svm_core::linalg::CholeskyFactor;

/// Values of 1/ρ this small next to the largest are those of directions without anything to part.
const NOTHING: f64 = 1e-12;

/// The smallest `count` ratios ρ, fewer if there are no more, of `M p = ρ T p`, M given as `C Cᵀ` and T as what `apply` does to rows, and their p in rows
/// with `pᵀTp = 1`: with `z = Cᵀp`, z is an eigenvector of `C⁻¹TC⁻ᵀ` for 1/ρ, and `pᵀTp = ‖z‖²/ρ`.
pub(super) fn smallest_ratios(
    factor: &CholeskyFactor,
    count: usize,
    apply: impl Fn(ArrayView2<'_, f64>) -> Array2<f64>,
) -> Result<(Array1<f64>, Array2<f64>), SolverError> {
    let n = factor.upper().nrows();
    let (values, z) = largest(n, count, |rows| {
        factor.solve_lower(apply(factor.solve_upper(rows.to_owned()).view()))
    })?;
    let kept: Vec<usize> = (0..values.len())
        .filter(|k| values[*k] > NOTHING * values[0])
        .collect();
    let ratios = values.select(Axis(0), &kept).mapv(f64::recip);
    let mut p = factor.solve_upper(z.select(Axis(0), &kept));
    p *= &ratios.mapv(f64::sqrt).insert_axis(Axis(1));
    Ok((ratios, p))
}

/// Directions in rows as columns with their signs fixed.
pub(super) fn signed_columns(rows: Array2<f64>) -> Array2<f64> {
    let mut columns = rows.reversed_axes().as_standard_layout().into_owned();
    fix_signs(&mut columns);
    columns
}
