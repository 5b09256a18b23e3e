//! Linear discriminants in a kernel's space, from one factorisation of `K + rI`.
//!
//! **Derivation.** Let `E` (N × C) have the columns `e_c = 1_c/√N_c`, `w_c = √(N_c/N)`, so that `Ew = 1/√N`, the scatter within
//! classes is `L = I − EEᵀ` and between them `B − L = E(I − wwᵀ)Eᵀ`. Of `u = Ka` the discriminants maximise
//! `uᵀE(I − wwᵀ)Eᵀu / (uᵀ(I − EEᵀ)u + r uᵀK⁻¹u)`. Where the derivative vanishes `(I + rK⁻¹)u` is in the span of E: with
//! `S = (K + rI)⁻¹`, `u = KSEc`, that is `a = SEc`. As `KS = I − rS`, `EᵀKSE = I − P` with `P = r EᵀSE`, a C × C matrix with the
//! eigenvalues π in (0, 1]; in its eigenvectors U the numerator is `cᵀ(I−P)(I − wwᵀ)(I−P)c` and the denominator
//! `cᵀ(I−P)Pc`. P is made without cancellation, so a small ridge costs no digits. K may be singular.

use super::laplacian::Laplacian;
use crate::SolverError;
use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use robust_svm_core::linalg::{CholeskyFactor, matmul, matmul_transposed, symmetric_eigen};

/// Eigenvalues of `I − P` below this are those of directions the kernel does not have.
const NOTHING: f64 = 1e-12;

/// The ratios ρ (d) and the coefficients a in rows (d × N) of the first `count` discriminants of the `labels` with `sizes`.
pub(super) fn discriminants(
    (labels, sizes): (&[usize], &[usize]),
    gram: ArrayView2<'_, f64>,
    ridge: f64,
    count: usize,
) -> Result<(Array1<f64>, Array2<f64>), SolverError> {
    let n = labels.len();
    let classes: Vec<usize> = (0..sizes.len()).filter(|class| sizes[*class] > 0).collect();
    let indicators = Array2::from_shape_fn((classes.len(), n), |(k, i)| {
        if labels[i] == classes[k] {
            (sizes[classes[k]] as f64).sqrt().recip()
        } else {
            0.0
        }
    });
    let w: Array1<f64> = classes
        .iter()
        .map(|class| (sizes[*class] as f64 / n as f64).sqrt())
        .collect();
    let mut regularised = gram.as_standard_layout().into_owned();
    regularised.diag_mut().mapv_inplace(|value| value + ridge);
    let solved = CholeskyFactor::new(regularised)?.solve(indicators.clone());
    let p = matmul_transposed(indicators.view(), solved.view()) * ridge;
    let (π, u) = symmetric_eigen(((&p + &p.t()) * 0.5).view())?;
    let kept: Vec<usize> = (0..π.len()).filter(|k| 1.0 - π[*k] > NOTHING).collect();
    if kept.is_empty() {
        return Ok((Array1::zeros(0), Array2::zeros((0, n))));
    }
    let (π, u) = (π.select(Axis(0), &kept), u.select(Axis(1), &kept));
    // In z = √((1−P)P) Uᵀc the denominator is ‖z‖².
    let stretch = π.mapv(|π| ((1.0 - π) / π).sqrt());
    let uw = u.t().dot(&w);
    let between = Array2::from_shape_fn((kept.len(), kept.len()), |(k, l)| {
        stretch[k] * (f64::from(u8::from(k == l)) - uw[k] * uw[l]) * stretch[l]
    });
    let (values, z) = symmetric_eigen(between.view())?;
    let count = count.min(kept.len());
    let first = kept.len() - count;
    let mut rows = z.slice(s![.., first..;-1]).reversed_axes().to_owned();
    rows /= &π.mapv(|π| ((1.0 - π) * π).sqrt());
    let c = matmul(rows.view(), u.t());
    let mut a = matmul(c.view(), solved.view());
    let ratios: Array1<f64> = values
        .slice(s![first..;-1])
        .mapv(|value| 1.0 / (1.0 + value));
    normalise(&mut a, gram, ridge);
    Ok((ratios, a))
}

/// Makes `aᵀ(KBK + rK)a = 1`, B the total scatter.
fn normalise(a: &mut Array2<f64>, gram: ArrayView2<'_, f64>, ridge: f64) {
    let u = matmul(a.view(), gram);
    let scattered = Laplacian::Complete { inputs: u.ncols() }.apply(u.view());
    for ((mut a, u), scattered) in a
        .outer_iter_mut()
        .zip(u.outer_iter())
        .zip(scattered.outer_iter())
    {
        let square = scattered.dot(&u) + ridge * a.dot(&u);
        a /= square.sqrt();
    }
}
