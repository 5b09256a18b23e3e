//! The derivatives `C_i = Σ^{⊤/2} J_iᵀ` (n × D) of a feature map at all samples, without a matrix for each.

use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, MatMut, MatRef, Par};
use std::ops::Range;

/// Samples whose rows are held at a time: few enough for the cache, enough for a product to run at full speed.
pub(super) const BLOCK_ROWS: usize = 512;

/// Products by the C_i. Matrices are slices, row after row.
pub(super) trait Jacobians {
    /// `C_i ζ` of every sample (L × n).
    fn pull_back(&mut self, zeta: &[f64], out: &mut [f64]);

    /// `C_iᵀ u_i` of the samples `rows`, at most [`BLOCK_ROWS`] of them, with `u` a row for each of these: rows × D.
    fn push_forward(&mut self, rows: Range<usize>, u: &[f64], out: &mut [f64]);

    /// `out += Σ_i C_iᵀ u_i` (D), `u` a row for each sample (L × n).
    fn add_sum(&mut self, u: &[f64], out: &mut [f64]);

    /// Adds `Σ_i e_i C_iᵀC_i` to the first D rows and columns of `matrix` (width × width, column after column), lower
    /// half, for weights `e` (L) ≥ 0.
    fn add_weighted_squares(&mut self, weights: &[f64], matrix: &mut [f64], width: usize);
}

/// The blocks of `samples` samples.
pub(super) fn blocks(samples: usize) -> impl Iterator<Item = Range<usize>> {
    (0..samples)
        .step_by(BLOCK_ROWS)
        .map(move |first| first..samples.min(first + BLOCK_ROWS))
}

/// `a` as a matrix of `columns` columns, row after row.
pub(super) fn rows_of(a: &[f64], columns: usize) -> MatRef<'_, f64> {
    MatRef::from_row_major_slice(a, a.len() / columns, columns)
}

/// [`rows_of`] to be written.
pub(super) fn rows_of_mut(a: &mut [f64], columns: usize) -> MatMut<'_, f64> {
    let rows = a.len() / columns;
    MatMut::from_row_major_slice_mut(a, rows, columns)
}

/// `out = a b`, or `out += a b`.
pub(super) fn multiply(
    a: MatRef<'_, f64>,
    b: MatRef<'_, f64>,
    accumulate: Accum,
    out: MatMut<'_, f64>,
) {
    matmul(out, accumulate, a, b, 1.0, Par::Seq);
}

/// `out += factor aᵀb` in the lower half, for an aᵀb that is symmetric.
pub(super) fn add_gram(a: MatRef<'_, f64>, b: MatRef<'_, f64>, factor: f64, out: MatMut<'_, f64>) {
    triangular::matmul(
        out,
        BlockStructure::TriangularLower,
        Accum::Add,
        a.transpose(),
        BlockStructure::Rectangular,
        b,
        BlockStructure::Rectangular,
        factor,
        Par::Seq,
    );
}
