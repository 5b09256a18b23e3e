//! The Cholesky factor of a matrix, for many right-hand sides and products.
//!
//! Vectors are the rows of what is given, as everywhere here: no transposed copy is made.

use super::{contiguous, faer_ref, into_standard_layout, matmul, matmul_transposed};
use crate::CoreError;
use faer::linalg::cholesky::llt::factor::{
    LltParams, LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{MatMut, Par};
use ndarray::{Array2, ArrayView2};

/// `A = R Rᵀ` for a symmetric positive definite A (N × N), R lower triangular.
#[derive(Debug, Clone)]
pub struct CholeskyFactor {
    /// `Rᵀ`, row after row.
    upper: Array2<f64>,
}

impl CholeskyFactor {
    /// The factor of `a` (N × N, symmetric), which is taken for its memory.
    ///
    /// # Errors
    /// [`CoreError::Numerical`] if `a` is not positive definite to rounding.
    ///
    /// # Panics
    /// If `a` is not square.
    pub fn new(a: Array2<f64>) -> Result<Self, CoreError> {
        let n = a.nrows();
        assert_eq!(n, a.ncols(), "a square matrix");
        let mut upper = into_standard_layout(a);
        let parameters = faer::Spec::<LltParams, f64>::default();
        let scratch = cholesky_in_place_scratch::<f64>(n, Par::Seq, parameters);
        let mut memory = faer::dyn_stack::MemBuffer::new(scratch);
        // The matrix is its transpose: read by columns the memory becomes R, and read by rows Rᵀ.
        let values = upper.as_slice_mut().expect("standard layout");
        cholesky_in_place(
            MatMut::from_column_major_slice_mut(values, n, n),
            LltRegularization::default(),
            Par::Seq,
            faer::dyn_stack::MemStack::new(&mut memory),
            parameters,
        )
        .map_err(|_| {
            CoreError::Numerical("a matrix is not positive definite to rounding".into())
        })?;
        for (i, mut row) in upper.outer_iter_mut().enumerate() {
            row.iter_mut().take(i).for_each(|value| *value = 0.0);
        }
        Ok(Self { upper })
    }

    /// `Rᵀ` (N × N), upper triangular.
    pub fn upper(&self) -> ArrayView2<'_, f64> {
        self.upper.view()
    }

    /// `R x` for each row x of `rows` (r × N).
    pub fn lower_times(&self, rows: ArrayView2<'_, f64>) -> Array2<f64> {
        matmul(rows, self.upper.view())
    }

    /// `Rᵀ x` for each row x of `rows` (r × N).
    pub fn upper_times(&self, rows: ArrayView2<'_, f64>) -> Array2<f64> {
        matmul_transposed(rows, self.upper.view())
    }

    /// The solution x of `R x = y` for each row y of `rows` (r × N).
    pub fn solve_lower(&self, rows: Array2<f64>) -> Array2<f64> {
        let upper = contiguous(self.upper.view());
        let factor = faer_ref(&upper).transpose();
        solved(rows, |columns| {
            solve_lower_triangular_in_place(factor, columns, Par::Seq);
        })
    }

    /// The solution x of `Rᵀ x = y` for each row y of `rows` (r × N).
    pub fn solve_upper(&self, rows: Array2<f64>) -> Array2<f64> {
        let upper = contiguous(self.upper.view());
        let factor = faer_ref(&upper);
        solved(rows, |columns| {
            solve_upper_triangular_in_place(factor, columns, Par::Seq);
        })
    }

    /// The solution x of `A x = y` for each row y of `rows` (r × N).
    pub fn solve(&self, rows: Array2<f64>) -> Array2<f64> {
        self.solve_upper(self.solve_lower(rows))
    }
}

/// `rows` changed in place, seen as columns.
fn solved(rows: Array2<f64>, solve: impl FnOnce(MatMut<'_, f64>)) -> Array2<f64> {
    let (r, n) = rows.dim();
    let mut rows = into_standard_layout(rows);
    let values = rows.as_slice_mut().expect("standard layout");
    solve(MatMut::from_column_major_slice_mut(values, n, r));
    rows
}

#[cfg(test)]
mod tests {
    use super::CholeskyFactor;
    use approx::assert_relative_eq;
    use ndarray::{Array2, array};

    #[test]
    fn products_and_solutions_undo_each_other() {
        let half = Array2::from_shape_fn((40, 50), |(i, k)| ((i * 7 + k * 13) as f64).sin());
        let a = half.dot(&half.t()) + Array2::<f64>::eye(40);
        let factor = CholeskyFactor::new(a.clone()).unwrap();
        assert_relative_eq!(factor.upper().t().dot(&factor.upper()), a, epsilon = 1e-10);
        let rows = Array2::from_shape_fn((3, 40), |(i, k)| ((i + 3 * k) as f64).cos());
        let close = |found: Array2<f64>, expected: &Array2<f64>| {
            assert_relative_eq!(&found, expected, epsilon = 1e-9);
        };
        close(factor.lower_times(rows.view()), &rows.dot(&factor.upper()));
        close(
            factor.upper_times(rows.view()),
            &rows.dot(&factor.upper().t()),
        );
        close(factor.solve_lower(factor.lower_times(rows.view())), &rows);
        close(factor.solve_upper(factor.upper_times(rows.view())), &rows);
        close(factor.solve(rows.dot(&a)), &rows);
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        assert!(CholeskyFactor::new(array![[1.0, 2.0], [2.0, 1.0]]).is_err());
    }
}
