//! The Cholesky factor of a matrix that may be singular, of the largest pivot that is left at each step, and its inverse.

use super::into_standard_layout;
use crate::CoreError;
use faer::linalg::cholesky::llt_pivoting::factor::{
    PivLltParams, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::{MatMut, MatRef, Par};
use ndarray::{Array2, s};

/// Some rows and columns of a matrix that say all of it to rounding, and the inverse of their factor.
pub(crate) struct PivotedCholesky {
    /// The indices p of the rows, r of them, in the order of their pivots.
    pub(crate) pivots: Vec<usize>,
    /// `R^{−1}` (r × r, lower triangular, 0 above), `R Rᵀ` being the rows and columns p.
    pub(crate) inverse: Array2<f64>,
}

impl PivotedCholesky {
    /// Of `a` (m × m, symmetric and positive semi-definite), which is taken for its memory. Each pivot is the largest entry that is left of the
    /// diagonal [Golub & Van Loan, *Matrix Computations*, §4.2.8]; those that are not above `relative_cut` times the first are cut.
    ///
    /// # Errors
    /// [`CoreError::Numerical`] if an entry of the diagonal is negative or NaN.
    ///
    /// # Panics
    /// If `a` is not square.
    pub(crate) fn new(a: Array2<f64>, relative_cut: f64) -> Result<Self, CoreError> {
        let m = a.nrows();
        assert_eq!(m, a.ncols(), "a square matrix");
        let refuse = || CoreError::Numerical("a matrix is not positive semi-definite".into());
        if a.diag().iter().any(|d| d.is_nan() || *d < 0.0) {
            return Err(refuse());
        }
        let mut factor = into_standard_layout(a);
        if factor.diag().iter().all(|d| *d == 0.0) {
            return Ok(Self {
                pivots: Vec::new(),
                inverse: Array2::zeros((0, 0)),
            });
        }
        let parameters = faer::Spec::<PivLltParams, f64>::default();
        let scratch = cholesky_in_place_scratch::<usize, f64>(m, Par::Seq, parameters);
        let mut memory = faer::dyn_stack::MemBuffer::new(scratch);
        let (mut pivots, mut places) = (vec![0; m], vec![0; m]);
        let values = factor.as_slice_mut().expect("standard layout");
        // The matrix is its transpose: read by columns, its lower triangle becomes the factor.
        let (info, _) = cholesky_in_place(
            MatMut::from_column_major_slice_mut(values, m, m),
            &mut pivots,
            &mut places,
            Par::Seq,
            faer::dyn_stack::MemStack::new(&mut memory),
            parameters,
        )
        .map_err(|_| refuse())?;
        let squares = factor.diag().mapv(|pivot| pivot * pivot);
        let cut = squares.first().map_or(0.0, |first| relative_cut * first);
        let above = squares.iter().take(info.rank).take_while(|&&s| s > cut);
        let rank = above.count();
        pivots.truncate(rank);
        let factor = into_standard_layout(factor.slice(s![..rank, ..rank]).to_owned());
        let factor = factor.as_slice().expect("standard layout");
        let mut inverse = Array2::zeros((rank, rank));
        let values = inverse.as_slice_mut().expect("standard layout");
        // By columns both are the transposes of what they are by rows; the inverse is turned back by exchanging the two.
        invert_lower_triangular(
            MatMut::from_column_major_slice_mut(values, rank, rank),
            MatRef::from_column_major_slice(factor, rank, rank),
            Par::Seq,
        );
        Ok(Self {
            pivots,
            inverse: into_standard_layout(inverse.reversed_axes()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::PivotedCholesky;
    use ndarray::{Array2, array};
    use proptest::prelude::*;

    #[test]
    fn a_factor_by_hand() {
        let found = PivotedCholesky::new(array![[4.0, 6.0], [6.0, 25.0]], 1e-12).unwrap();
        assert_eq!(found.pivots, [1, 0]);
        // 25 is the larger pivot: R = [[5, 0], [6/5, 8/5]], as 4 − 36/25 = 64/25, and R⁻¹ = [[1/5, 0], [−3/20, 5/8]].
        let expected = array![[0.2, 0.0], [-0.15, 0.625]];
        assert!((&found.inverse - &expected).iter().all(|e| e.abs() < 1e-15));
    }

    #[test]
    fn a_diagonal_that_is_negative_or_nan_is_refused_and_zeros_are_of_rank_0() {
        for bad in [-1.0, f64::NAN] {
            for m in [1, 3] {
                let mut matrix = Array2::eye(m);
                matrix[(m - 1, m - 1)] = bad;
                assert!(PivotedCholesky::new(matrix, 1e-12).is_err());
            }
        }
        for m in [0, 1, 4] {
            let found = PivotedCholesky::new(Array2::zeros((m, m)), 1e-12).unwrap();
            assert_eq!((found.pivots.len(), found.inverse.dim()), (0, (0, 0)));
        }
    }

    proptest! {
        /// `P A[p, p] Pᵀ = I` with P the inverse, and the rows p say the others: `A = A[:, p] PᵀP A[p, :]`.
        #[test]
        fn pivots_say_the_whole_matrix(
            (m, rank) in (1..40_usize, 1..40_usize),
            numbers in prop::collection::vec(-1.0..1.0_f64, 1600),
        ) {
            let b = Array2::from_shape_fn((m, rank), |(i, k)| numbers[i * rank + k]);
            let a = b.dot(&b.t());
            let found = PivotedCholesky::new(a.clone(), 1e-10).unwrap();
            prop_assert!(found.pivots.len() <= m.min(rank));
            let above = found.inverse.indexed_iter().filter(|((i, j), _)| j > i);
            prop_assert!(above.into_iter().all(|(_, v)| *v == 0.0));
            let columns = a.select(ndarray::Axis(1), &found.pivots);
            let block = columns.select(ndarray::Axis(0), &found.pivots);
            let identity = found.inverse.dot(&block).dot(&found.inverse.t());
            let phi = columns.dot(&found.inverse.t());
            for ((i, j), entry) in identity.indexed_iter() {
                prop_assert!((entry - f64::from(u8::from(i == j))).abs() < 1e-4);
            }
            let largest = a.diag().fold(0.0_f64, |m, v| m.max(*v));
            for (found, expected) in phi.dot(&phi.t()).iter().zip(&a) {
                prop_assert!((found - expected).abs() < 1e-7 * largest);
            }
        }
    }
}
