//! Dense linear algebra on `ndarray` arrays, done by faer.
//!
//! Everything runs on the calling thread: parallelism is over groups of cells, and faer's
//! decompositions change their last bits with the number of threads. With the feature `lapack` the
//! symmetric eigenvalue decomposition is LAPACK's (`dsyev` through ndarray-linalg) instead.

mod factor;
mod pivoted;
mod singular;

pub use factor::CholeskyFactor;
pub(crate) use pivoted::PivotedCholesky;
pub use singular::right_singular_vectors;

use crate::CoreError;
use crate::vector_math::Real;
use faer::linalg::cholesky::llt::{
    self,
    factor::{LltParams, LltRegularization},
};
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, CowArray, Ix2};

/// The rows of `a` in one piece of memory, copied only if they are not already.
fn contiguous<T: Clone>(a: ArrayView2<'_, T>) -> CowArray<'_, T, Ix2> {
    if a.is_standard_layout() {
        CowArray::from(a)
    } else {
        CowArray::from(a.as_standard_layout().into_owned())
    }
}

/// `a` with its rows in one piece of memory, copied only if they are not already.
pub(crate) fn into_standard_layout(a: Array2<f64>) -> Array2<f64> {
    if a.is_standard_layout() {
        a
    } else {
        a.as_standard_layout().into_owned()
    }
}

/// `a` as a faer matrix. `a` must be in standard layout.
fn faer_ref<'a, T>(a: &'a CowArray<'_, T, Ix2>) -> MatRef<'a, T> {
    let (rows, columns) = a.dim();
    MatRef::from_row_major_slice(a.as_slice().expect("standard layout"), rows, columns)
}

/// The product `a b`, shapes (p × q)(q × r).
///
/// # Panics
/// If the inner dimensions differ.
pub fn matmul(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> Array2<f64> {
    let mut out = Array2::zeros((a.nrows(), b.ncols()));
    matmul_into(a, b, out.view_mut());
    out
}

/// [`matmul`] into `out` (p × r).
///
/// # Panics
/// If the shapes disagree, or the rows of `out` are not in one piece of memory.
pub fn matmul_into(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>, out: ArrayViewMut2<'_, f64>) {
    let b = contiguous(b);
    product(a, faer_ref(&b), out);
}

/// The product `a bᵀ`, shapes (p × q)(r × q).
///
/// # Panics
/// If the inner dimensions differ.
pub fn matmul_transposed(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> Array2<f64> {
    let mut out = Array2::zeros((a.nrows(), b.nrows()));
    matmul_transposed_into(a, b, out.view_mut());
    out
}

/// [`matmul_transposed`] into `out` (p × r).
///
/// # Panics
/// If the shapes disagree, or the rows of `out` are not in one piece of memory.
pub fn matmul_transposed_into(
    a: ArrayView2<'_, f64>,
    b: ArrayView2<'_, f64>,
    out: ArrayViewMut2<'_, f64>,
) {
    let b = contiguous(b);
    product(a, faer_ref(&b).transpose(), out);
}

/// Columns of a product with a triangular matrix that are computed together.
const TRIANGULAR_COLUMNS: usize = 128;

/// The product `a lᵀ` of `a` (p × q) and a lower triangular `l` (q × q, which must be 0 above its diagonal), into `out` (p × q): a block of columns
/// at a time, of which the k-th needs no column of a behind its own, so that up to half the work of a full product is left out.
///
/// # Panics
/// If the shapes disagree, or the rows of `out` are not in one piece of memory.
pub(crate) fn matmul_lower_transposed_into(
    a: ArrayView2<'_, f64>,
    l: ArrayView2<'_, f64>,
    mut out: ArrayViewMut2<'_, f64>,
) {
    let (rows, width) = a.dim();
    assert_eq!(l.dim(), (width, width), "a square matrix as wide as a");
    assert_eq!(out.dim(), (rows, width), "the product's shape");
    let (a, l) = (contiguous(a), contiguous(l));
    let (a, upper) = (faer_ref(&a), faer_ref(&l).transpose());
    let out = out.as_slice_mut().expect("rows of out in one piece");
    // Not faer's row-major form, which exchanges the strides (0.24.4).
    let mut out = MatMut::from_column_major_slice_mut(out, width, rows).transpose_mut();
    for first in (0..width).step_by(TRIANGULAR_COLUMNS) {
        let columns = TRIANGULAR_COLUMNS.min(width - first);
        let end = first + columns;
        faer::linalg::matmul::matmul(
            out.as_mut().submatrix_mut(0, first, rows, columns),
            Accum::Replace,
            a.submatrix(0, 0, rows, end),
            upper.submatrix(0, first, end, columns),
            1.0,
            Par::Seq,
        );
    }
}

fn product(a: ArrayView2<'_, f64>, b: MatRef<'_, f64>, mut out: ArrayViewMut2<'_, f64>) {
    let stride = out.ncols();
    let shape = (a.nrows(), b.ncols());
    assert_eq!(out.dim(), shape, "the product's shape");
    let out = out.as_slice_mut().expect("rows of out in one piece");
    product_in_rows(a, b, out, stride);
}

/// The product `a bᵀ`, shapes (p × q)(r × q), its rows at the beginnings of the p rows of `out`, which are `stride` long, the
/// last one at least r.
///
/// # Panics
/// If the shapes disagree or `out` is too short.
pub(crate) fn matmul_transposed_in_rows<T: Real>(
    a: ArrayView2<'_, T>,
    b: ArrayView2<'_, T>,
    out: &mut [T],
    stride: usize,
) {
    let b = contiguous(b);
    product_in_rows(a, faer_ref(&b).transpose(), out, stride);
}

fn product_in_rows<T: Real>(a: ArrayView2<'_, T>, b: MatRef<'_, T>, out: &mut [T], stride: usize) {
    let a = contiguous(a);
    let (rows, columns) = (a.nrows(), b.ncols());
    // Not faer's row-major form, which exchanges the strides (0.24.4).
    let out = MatMut::from_column_major_slice_with_stride_mut(out, columns, rows, stride);
    faer::linalg::matmul::matmul(
        out.transpose_mut(),
        Accum::Replace,
        faer_ref(&a),
        b,
        T::one(),
        Par::Seq,
    );
}

/// Eigenvalues in increasing order and eigenvectors (as columns) of the symmetric matrix `a`
/// (m × m, only the lower triangle is read).
///
/// # Errors
/// [`CoreError::Numerical`] if the iteration does not converge (a NaN or infinite entry).
pub fn symmetric_eigen(a: ArrayView2<'_, f64>) -> Result<(Array1<f64>, Array2<f64>), CoreError> {
    #[cfg(feature = "lapack")]
    return lapack::symmetric_eigen(a);
    #[cfg(not(feature = "lapack"))]
    return faer_symmetric_eigen(a);
}

/// [`symmetric_eigen`] by faer.
///
/// # Errors
/// As [`symmetric_eigen`].
pub fn faer_symmetric_eigen(
    a: ArrayView2<'_, f64>,
) -> Result<(Array1<f64>, Array2<f64>), CoreError> {
    if a.iter().any(|v| !v.is_finite()) {
        return Err(CoreError::Numerical(
            "eigenvalues of a matrix that is not finite".into(),
        ));
    }
    // The parallelism of faer's high-level calls is process-wide; the low-level call takes its own.
    let m = a.nrows();
    if m == 0 {
        return Ok((Array1::zeros(0), Array2::zeros((0, 0))));
    }
    let a = contiguous(a);
    let mut values = faer::diag::Diag::<f64>::zeros(m);
    let mut vectors = faer::Mat::<f64>::zeros(m, m);
    let parameters = faer::Spec::<faer::linalg::evd::SelfAdjointEvdParams, f64>::default();
    let mut memory =
        faer::dyn_stack::MemBuffer::new(faer::linalg::evd::self_adjoint_evd_scratch::<f64>(
            m,
            faer::linalg::evd::ComputeEigenvectors::Yes,
            Par::Seq,
            parameters,
        ));
    faer::linalg::evd::self_adjoint_evd(
        faer_ref(&a),
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        faer::dyn_stack::MemStack::new(&mut memory),
        parameters,
    )
    .map_err(|_| CoreError::Numerical("the eigenvalue iteration did not converge".into()))?;
    Ok((
        Array1::from_iter((0..m).map(|i| values[i])),
        Array2::from_shape_fn((m, m), |(i, j)| vectors[(i, j)]),
    ))
}

/// The solution X of `A X = B` for a symmetric positive definite `a` (m × m, only the lower triangle is
/// read) and `b` (m × r), by Cholesky; the two are taken for their memory.
///
/// # Errors
/// [`CoreError::Numerical`] if `a` is not positive definite to rounding.
///
/// # Panics
/// If the shapes do not agree.
pub fn positive_definite_solve(a: Array2<f64>, b: Array2<f64>) -> Result<Array2<f64>, CoreError> {
    let m = a.nrows();
    assert_eq!((a.ncols(), b.nrows()), (m, m), "A X = B with a square A");
    let r = b.ncols();
    let (mut a, mut b) = (into_standard_layout(a), into_standard_layout(b));
    let parameters = faer::Spec::<LltParams, f64>::default();
    let scratch = llt::factor::cholesky_in_place_scratch::<f64>(m, Par::Seq, parameters);
    let mut memory = faer::dyn_stack::MemBuffer::new(scratch);
    let stack = faer::dyn_stack::MemStack::new(&mut memory);
    let mut factor =
        MatMut::from_row_major_slice_mut(a.as_slice_mut().expect("standard layout"), m, m);
    llt::factor::cholesky_in_place(
        factor.as_mut(),
        LltRegularization::default(),
        Par::Seq,
        stack,
        parameters,
    )
    .map_err(|_| CoreError::Numerical("a matrix is not positive definite to rounding".into()))?;
    let solution =
        MatMut::from_row_major_slice_mut(b.as_slice_mut().expect("standard layout"), m, r);
    llt::solve::solve_in_place(factor.as_ref(), solution, Par::Seq, stack);
    Ok(b)
}

/// The largest singular value `‖a‖₂` of `a` (p × q), by the eigenvalues of the smaller Gram matrix.
///
/// # Errors
/// As [`symmetric_eigen`].
pub fn spectral_norm(a: ArrayView2<'_, f64>) -> Result<f64, CoreError> {
    let gram = if a.nrows() < a.ncols() {
        matmul_transposed(a, a)
    } else {
        matmul_transposed(a.t(), a.t())
    };
    Ok(largest_eigenvalue(gram.view())?.max(0.0).sqrt())
}

/// The largest eigenvalue of the symmetric matrix `a` (m × m); 0 for an empty one.
///
/// # Errors
/// As [`symmetric_eigen`].
pub fn largest_eigenvalue(a: ArrayView2<'_, f64>) -> Result<f64, CoreError> {
    let (values, _) = symmetric_eigen(a)?;
    Ok(values.last().copied().unwrap_or(0.0))
}

/// LAPACK in the place of faer.
#[cfg(feature = "lapack")]
mod lapack {
    use super::{Array1, Array2, ArrayView2, CoreError};
    use ndarray_linalg::{Eigh, UPLO};

    pub(super) fn symmetric_eigen(
        a: ArrayView2<'_, f64>,
    ) -> Result<(Array1<f64>, Array2<f64>), CoreError> {
        a.eigh(UPLO::Lower)
            .map_err(|error| CoreError::Numerical(format!("LAPACK dsyev: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::{
        TRIANGULAR_COLUMNS, faer_symmetric_eigen, matmul, matmul_lower_transposed_into,
        matmul_transposed, positive_definite_solve, spectral_norm, symmetric_eigen,
    };
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2, array};
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};

    fn normal(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        Array2::from_shape_simple_fn((rows, columns), || StandardNormal.sample(&mut rng))
    }

    /// Against ndarray's own products, whatever the layout of the operands.
    #[test]
    fn products_agree_with_ndarray() {
        let (a, b) = (normal(17, 5, 1), normal(5, 9, 2));
        assert_relative_eq!(matmul(a.view(), b.view()), a.dot(&b), epsilon = 1e-13);
        let transposed = b.t().to_owned();
        assert_relative_eq!(
            matmul_transposed(a.view(), transposed.view()),
            a.dot(&b),
            epsilon = 1e-13
        );
        assert_relative_eq!(
            matmul(b.t(), a.t()),
            a.dot(&b).reversed_axes(),
            epsilon = 1e-13
        );
    }

    /// In one block of columns and in several, the last one narrower.
    #[test]
    fn products_with_a_triangle_leave_out_what_is_above_it() {
        for width in [1, 5, TRIANGULAR_COLUMNS + 9] {
            let (a, mut l) = (normal(23, width, 3), normal(width, width, 4));
            for ((i, j), entry) in l.indexed_iter_mut() {
                if j > i {
                    *entry = 0.0;
                }
            }
            let expected = a.dot(&l.t());
            // Behind the columns that are computed together nothing is read.
            for ((i, j), entry) in l.indexed_iter_mut() {
                if j / TRIANGULAR_COLUMNS > i / TRIANGULAR_COLUMNS {
                    *entry = f64::NAN;
                }
            }
            let mut out = Array2::from_elem((23, width), f64::NAN);
            matmul_lower_transposed_into(a.view(), l.view(), out.view_mut());
            assert_relative_eq!(out, expected, epsilon = 1e-12);
        }
    }

    #[test]
    fn eigenvalues_worked_by_hand() {
        let (values, vectors) = symmetric_eigen(array![[2.0, 1.0], [1.0, 2.0]].view()).unwrap();
        assert_relative_eq!(values, array![1.0, 3.0], epsilon = 1e-14);
        assert_relative_eq!(vectors[(0, 1)].abs(), 0.5_f64.sqrt(), epsilon = 1e-14);
    }

    #[test]
    fn the_decomposition_multiplies_out() {
        let a = normal(40, 40, 3);
        let a = &a + &a.t();
        let (values, vectors) = symmetric_eigen(a.view()).unwrap();
        assert!(values.windows(2).into_iter().all(|pair| pair[0] <= pair[1]));
        let scaled = &vectors * &values;
        assert_relative_eq!(scaled.dot(&vectors.t()), a, epsilon = 1e-11);
        assert_relative_eq!(vectors.t().dot(&vectors), Array2::eye(40), epsilon = 1e-12);
    }

    #[cfg(feature = "lapack")]
    #[test]
    fn lapack_and_faer_agree() {
        let a = normal(60, 60, 4);
        let a = &a + &a.t();
        let (one, _) = symmetric_eigen(a.view()).unwrap();
        let (other, _) = faer_symmetric_eigen(a.view()).unwrap();
        let scale = one.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        assert_relative_eq!(one, other, epsilon = 1e-13 * scale * 60.0);
    }

    #[test]
    fn a_positive_definite_system_is_solved() {
        let half = normal(30, 40, 6);
        let a = half.dot(&half.t());
        let b = normal(30, 4, 7);
        // Only the lower triangle counts, whatever the layout.
        let mut lower = a.clone();
        for ((i, j), value) in lower.indexed_iter_mut() {
            if j > i {
                *value = f64::NAN;
            }
        }
        let x = positive_definite_solve(lower, b.t().to_owned().reversed_axes()).unwrap();
        assert_relative_eq!(a.dot(&x), b, epsilon = 1e-10);
        let indefinite = array![[1.0, 2.0], [2.0, 1.0]];
        assert!(positive_definite_solve(indefinite, Array2::eye(2)).is_err());
    }

    #[test]
    fn spectral_norm_is_the_largest_stretch() {
        let a = normal(6, 30, 5);
        let norm = spectral_norm(a.view()).unwrap();
        assert_relative_eq!(norm, spectral_norm(a.t()).unwrap(), max_relative = 1e-13);
        // The power method from below.
        let mut v = Array1::<f64>::ones(30);
        for _ in 0..2000 {
            let next = a.t().dot(&a.dot(&v));
            v = &next / next.dot(&next).sqrt();
        }
        let stretched = a.dot(&v);
        assert_relative_eq!(stretched.dot(&stretched).sqrt(), norm, max_relative = 1e-9);
    }

    #[test]
    fn an_empty_matrix_has_no_eigenvalues() {
        let (values, vectors) = faer_symmetric_eigen(Array2::zeros((0, 0)).view()).unwrap();
        assert_eq!((values.len(), vectors.dim()), (0, (0, 0)));
    }

    #[test]
    fn a_matrix_that_is_not_finite_is_an_error() {
        assert!(faer_symmetric_eigen(array![[f64::NAN]].view()).is_err());
    }
}
