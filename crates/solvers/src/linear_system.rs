//! Symmetric positive definite systems of the interior-point methods: a Cholesky factor, mended by conjugate
//! gradients.

use crate::cholesky::Cholesky;
pub(crate) use crate::cholesky::NotFactorisable;
use crate::gram::WeightedGram;
use crate::workers::Workers;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::solve::{solve_in_place, solve_in_place_scratch};
use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::{Accum, MatMut, MatRef, Par};

/// Pivots of the matrix scaled to unit diagonal below the first are replaced by the second.
const SMALLEST_PIVOT: f64 = 1e-14;
const REPLACED_PIVOT: f64 = 1e-13;
/// Rounds of conjugate gradients at most.
const ROUNDS: usize = 12;
/// The relative residual that ends them where the solution is to be as good as the arithmetic allows.
pub(crate) const SMALL_RESIDUAL: f64 = 1e-13;

/// Columns of H that are worth the way to another thread.
pub(crate) const COLUMNS: usize = 64;

/// H as an operator.
pub(crate) trait Operator {
    /// `out ← H x`.
    fn apply(&mut self, x: &[f64], out: &mut [f64]);

    /// The solution has advanced by `length` times the last x applied.
    fn advanced(&mut self, _length: f64) {}
}

impl<F: FnMut(&[f64], &mut [f64])> Operator for F {
    fn apply(&mut self, x: &[f64], out: &mut [f64]) {
        self(x, out);
    }
}

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
    gram: WeightedGram,
    cholesky: Cholesky,
    memory: MemBuffer,
    workers: Workers,
}

impl LinearSystem {
    /// For matrices of n rows, on the calling thread.
    pub(crate) fn new(n: usize) -> Self {
        Self::with_workers(n, Workers::Caller)
    }

    /// For matrices of n rows; the bits of the results do not depend on `workers`.
    pub(crate) fn with_workers(n: usize, workers: Workers) -> Self {
        Self {
            matrix: vec![0.0; n * n],
            diagonal: vec![0.0; n],
            residual: vec![0.0; n],
            preconditioned: vec![0.0; n],
            direction: vec![0.0; n],
            product: vec![0.0; n],
            gram: WeightedGram::default(),
            cholesky: Cholesky::new(n),
            memory: MemBuffer::new(solve_in_place_scratch::<f64>(n, 1, Par::Seq)),
            workers,
        }
    }

    /// Where its blocks run.
    pub(crate) fn workers(&self) -> Workers {
        self.workers
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

    /// `H ← Bᵀ diag(w) B` in the lower half, B (L × n) given row after row, weights w ≥ 0 (L).
    pub(crate) fn assign_weighted_gram(&mut self, b: &[f64], w: &[f64]) {
        let n = self.diagonal.len();
        self.gram.assign(&mut self.matrix, (b, n), w, self.workers);
    }

    /// `H += Bᵀ diag(w) B` in the lower half, of some rows B.
    pub(crate) fn add_weighted_gram(&mut self, b: &[f64], w: &[f64]) {
        let n = self.diagonal.len();
        let gram = (&mut self.matrix[..], Accum::Add);
        self.gram.accumulate(gram, (b, n), w, self.workers);
    }

    /// Scales the matrix to unit diagonal and factorises it.
    pub(crate) fn factorise(&mut self) -> Result<(), NotFactorisable> {
        let n = self.diagonal.len();
        self.scale_to_unit_diagonal()?;
        let pivots = (SMALLEST_PIVOT, REPLACED_PIVOT);
        self.cholesky
            .factorise(&mut self.matrix, n, pivots, self.workers)
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
        let d = &self.diagonal;
        self.workers
            .blocks(&mut self.matrix, COLUMNS * n, |block, columns| {
                for (column, k) in columns.chunks_exact_mut(n).zip(block * COLUMNS..) {
                    for (h, dj) in column[k..].iter_mut().zip(&d[k..]) {
                        *h *= dj * d[k];
                    }
                }
            });
        Ok(())
    }

    /// Forgets the last direction of the last solution, which the next one takes zero times: that is nothing only if it is finite.
    pub(crate) fn forget(&mut self) {
        self.direction.fill(0.0);
    }

    /// Solves `H x = r` by conjugate gradients with the factor as preconditioner.
    ///
    /// One round is one back-substitution; the next ones are iterative refinement against H as an operator, and
    /// also mend the pivots that were replaced.
    pub(crate) fn solve(&mut self, h: impl Operator, r: &[f64], x: &mut [f64]) {
        self.solve_to(SMALL_RESIDUAL, h, r, x);
    }

    /// [`LinearSystem::solve`] to a relative residual of `accuracy`.
    pub(crate) fn solve_to(
        &mut self,
        accuracy: f64,
        mut h: impl Operator,
        r: &[f64],
        x: &mut [f64],
    ) {
        x.fill(0.0);
        self.residual.copy_from_slice(r);
        let target = accuracy * self.scaled_norm(r);
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

            h.apply(&self.direction, &mut self.product);
            let curvature = dot(&self.direction, &self.product);
            if !(energy > 0.0 && curvature > 0.0) {
                return;
            }
            let length = energy / curvature;
            h.advanced(length);
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
    faer::linalg::matmul::matmul(
        MatMut::from_column_major_slice_mut(out, matrix.nrows(), 1),
        accumulate,
        matrix,
        MatRef::from_column_major_slice(x, matrix.ncols(), 1),
        1.0,
        Par::Seq,
    );
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::LinearSystem;

    /// Zero times what is not finite is not zero.
    #[test]
    fn a_direction_that_is_not_finite_is_forgotten() {
        let mut system = LinearSystem::new(1);
        system.assign_gram(&[2.0]);
        system.factorise().unwrap();
        let mut x = [0.0];
        let h = |x: &[f64], out: &mut [f64]| out[0] = 4.0 * x[0];
        system.solve(h, &[f64::NAN], &mut x);
        system.forget();
        system.solve(h, &[8.0], &mut x);
        assert_eq!(x, [2.0]);
    }
}
