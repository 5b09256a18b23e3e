//! Quadratic forms and traces of many covariances at once.

use super::{Covariances, GaussianInputs};
use crate::linalg::{matmul, matmul_transposed};
use ndarray::{Array1, Array2, ArrayView2, Axis, Zip};

/// `z_jᵀΣ_iz_j` for each input and each row of `z` (q × n): L × q.
pub(super) fn quadratic_forms(inputs: &GaussianInputs, z: ArrayView2<'_, f64>) -> Array2<f64> {
    let squared_norms = || z.map_axis(Axis(1), |row| row.dot(&row));
    match inputs.covariances() {
        Covariances::Zero => Array2::zeros((inputs.len(), z.nrows())),
        Covariances::Isotropic(variances) => outer(variances, &squared_norms()),
        Covariances::Diagonal(variances) => {
            matmul_transposed(variances.view(), z.mapv(|z| z * z).view())
        }
        Covariances::Full(matrices) => {
            let mut forms = Array2::zeros((inputs.len(), z.nrows()));
            for (mut row, Σ) in forms.outer_iter_mut().zip(matrices) {
                let mapped = matmul(z, Σ.view());
                Zip::from(&mut row)
                    .and(mapped.rows())
                    .and(z.rows())
                    .for_each(|form, mapped, z| *form = mapped.dot(&z));
            }
            forms
        }
    }
}

/// `tr Σ_iΣ_j` for each input of `a` (p) and of `b` (q): p × q.
pub(super) fn traces_of_products(a: &GaussianInputs, b: &GaussianInputs) -> Array2<f64> {
    if let (Covariances::Full(left), Covariances::Full(right)) = (a.covariances(), b.covariances())
    {
        let trace = |(i, j): (usize, usize)| {
            let products = Zip::from(&left[i]).and(&right[j]);
            products.fold(0.0, |sum, a, b| sum + a * b)
        };
        return Array2::from_shape_fn((left.len(), right.len()), trace);
    }
    match (a.common_variances(), b.common_variances()) {
        (Some(variances), _) => outer(&variances, &b.traces()),
        (_, Some(variances)) => outer(&a.traces(), &variances),
        // One is diagonal: what the other has off its diagonal does not enter.
        (None, None) => matmul_transposed(a.variances().view(), b.variances().view()),
    }
}

fn outer(a: &Array1<f64>, b: &Array1<f64>) -> Array2<f64> {
    Array2::from_shape_fn((a.len(), b.len()), |(i, j)| a[i] * b[j])
}
