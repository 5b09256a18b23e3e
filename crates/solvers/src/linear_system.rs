//! Symmetric positive definite systems of the interior-point methods: a Cholesky factor, mended by conjugate
//! gradients.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{
    LltParams, LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::cholesky::llt::solve::solve_in_place;
use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::{Accum, MatMut, MatRef, Par, Spec};

/// Pivots of the matrix scaled to unit diagonal below the first are replaced by the second.
const SMALLEST_PIVOT: f64 = 1e-14;
const REPLACED_PIVOT: f64 = 1e-13;
/// Rounds of conjugate gradients at most, and the relative residual that ends them.
const ROUNDS: usize = 12;
const SMALL_RESIDUAL: f64 = 1e-13;

/// A system `H x = r`, with all the memory it needs.
pub(crate) struct LinearSystem {
    /// H, and after [`LinearSystem::factorise`] the Cholesky factor of H scaled to unit diagonal (n², lower
    /// half, column after column).
    pub(crate) matrix: Vec<f64>,
    /// `H_kk^{−1/2}` (n).
    diagonal: Vec<f64>,
    /// Vectors of the conjugate gradients (n).
    residual: Vec<f64>,
    preconditioned: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
    memory: MemBuffer,
}

/// The matrix could not be factorised: it has entries that are not finite.
pub(crate) struct NotFactorisable;

impl LinearSystem {
    /// For matrices of n rows.
    pub(crate) fn new(n: usize) -> Self {
        let parameters = Spec::<LltParams, f64>::default();
        Self {
            matrix: vec![0.0; n * n],
            diagonal: vec![0.0; n],
            residual: vec![0.0; n],
            preconditioned: vec![0.0; n],
            direction: vec![0.0; n],
            product: vec![0.0; n],
            memory: MemBuffer::new(cholesky_in_place_scratch::<f64>(n, Par::Seq, parameters)),
        }
    }

    /// `H ← BᵀB` in the lower half, B given row after row.
    pub(crate) fn assign_gram(&mut self, b: &[f64]) {
        let n = self.diagonal.len();
        let b = MatRef::from_row_major_slice(b, b.len() / n, n);
        matmul(
            MatMut::from_column_major_slice_mut(&mut self.matrix, n, n),
            BlockStructure::TriangularLower,
            Accum::Replace,
            b.transpose(),
            BlockStructure::Rectangular,
            b,
            BlockStructure::Rectangular,
            1.0,
            Par::Seq,
        );
    }

    /// Scales the matrix to unit diagonal and factorises it.
    pub(crate) fn factorise(&mut self) -> Result<(), NotFactorisable> {
        let n = self.diagonal.len();
        self.scale_to_unit_diagonal()?;
        cholesky_in_place(
            MatMut::from_column_major_slice_mut(&mut self.matrix, n, n),
            LltRegularization {
                dynamic_regularization_delta: REPLACED_PIVOT,
                dynamic_regularization_epsilon: SMALLEST_PIVOT,
            },
            Par::Seq,
            MemStack::new(&mut self.memory),
            Spec::default(),
        )
        .map(|_| ())
        .map_err(|_| NotFactorisable)
    }

    /// `H_jk ← H_jk (H_jj H_kk)^{−1/2}`, so that one threshold for pivots suits all problems.
    fn scale_to_unit_diagonal(&mut self) -> Result<(), NotFactorisable> {
        let n = self.diagonal.len();
        for k in 0..n {
            let h = self.matrix[k * (n + 1)];
            if !(h.is_finite() && h > 0.0) {
                return Err(NotFactorisable);
            }
            self.diagonal[k] = 1.0 / h.sqrt();
        }
        for k in 0..n {
            let dk = self.diagonal[k];
            let column = self.matrix[k * n + k..(k + 1) * n].iter_mut();
            for (h, dj) in column.zip(&self.diagonal[k..]) {
                *h *= dj * dk;
            }
        }
        Ok(())
    }

    /// Solves `H x = r` by conjugate gradients with the factor as preconditioner.
    ///
    /// One round is one back-substitution; the next ones are iterative refinement against `apply`, H as an operator, and
    /// also mend the pivots that were replaced.
    pub(crate) fn solve(
        &mut self,
        mut apply: impl FnMut(&[f64], &mut [f64]),
        r: &[f64],
        x: &mut [f64],
    ) {
        x.fill(0.0);
        self.residual.copy_from_slice(r);
        let target = SMALL_RESIDUAL * self.scaled_norm(r);
        let mut last = 0.0;
        for round in 0..ROUNDS {
            let mut step = std::mem::take(&mut self.preconditioned);
            step.copy_from_slice(&self.residual);
            self.back_substitute(&mut step);
            let energy = dot(&step, &self.residual);
            let momentum = if round == 0 { 0.0 } else { energy / last };
            for (p, z) in self.direction.iter_mut().zip(&step) {
                *p = z + momentum * *p;
            }
            last = energy;
            self.preconditioned = step;

            apply(&self.direction, &mut self.product);
            let curvature = dot(&self.direction, &self.product);
            if !(energy > 0.0 && curvature > 0.0) {
                return;
            }
            let length = energy / curvature;
            for (x, p) in x.iter_mut().zip(&self.direction) {
                *x += length * p;
            }
            for (residual, product) in self.residual.iter_mut().zip(&self.product) {
                *residual -= length * product;
            }
            if self.scaled_norm(&self.residual) <= target {
                return;
            }
        }
    }

    /// `x ← H⁻¹ x` by the factor.
    fn back_substitute(&mut self, x: &mut [f64]) {
        let n = x.len();
        for (x, d) in x.iter_mut().zip(&self.diagonal) {
            *x *= d;
        }
        solve_in_place(
            MatRef::from_column_major_slice(&self.matrix, n, n),
            MatMut::from_column_major_slice_mut(x, n, 1),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
        for (x, d) in x.iter_mut().zip(&self.diagonal) {
            *x *= d;
        }
    }

    /// `‖diag(H)^{−1/2} r‖₂`.
    fn scaled_norm(&self, r: &[f64]) -> f64 {
        r.iter()
            .zip(&self.diagonal)
            .map(|(r, d)| (r * d) * (r * d))
            .sum::<f64>()
            .sqrt()
    }
}

/// `out = matrix x`, or `out += matrix x`.
pub(crate) fn product(matrix: MatRef<'_, f64>, x: &[f64], accumulate: Accum, out: &mut [f64]) {
    let (rows, columns) = (matrix.nrows(), matrix.ncols());
    faer::linalg::matmul::matmul(
        MatMut::from_column_major_slice_mut(out, rows, 1),
        accumulate,
        matrix,
        MatRef::from_column_major_slice(x, columns, 1),
        1.0,
        Par::Seq,
    );
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
