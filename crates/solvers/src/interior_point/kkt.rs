//! The reduced system `H Δx = r`, `H = Q + Bᵀ diag(w) B + CᵀW⁻²C`.

use super::cone::Scaling;
use super::data::ConicData;
use super::variables::{Variables, dot};
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

/// The factorised system, with all the memory it needs.
pub(super) struct Kkt {
    /// The weights w (L).
    pub(super) weights: Vec<f64>,
    /// `diag(√w) B` (L × width), row after row.
    weighted: Vec<f64>,
    /// The Cholesky factor of H scaled to unit diagonal (width², lower half, column after column).
    factor: Vec<f64>,
    /// `H_kk^{−1/2}` (width).
    diagonal: Vec<f64>,
    /// Vectors of the conjugate gradients (width).
    residual: Vec<f64>,
    preconditioned: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
    /// L and cone-sized scratch of [`Kkt::apply`].
    rows: Vec<f64>,
    cone: Vec<f64>,
    memory: MemBuffer,
}

/// The matrix could not be factorised: it has entries that are not finite.
pub(super) struct NotFactorisable;

impl Kkt {
    pub(super) fn new(data: &ConicData) -> Self {
        let n = data.width;
        let parameters = Spec::<LltParams, f64>::default();
        Self {
            weights: vec![0.0; data.rows],
            weighted: vec![0.0; data.rows * n],
            factor: vec![0.0; n * n],
            diagonal: vec![0.0; n],
            residual: vec![0.0; n],
            preconditioned: vec![0.0; n],
            direction: vec![0.0; n],
            product: vec![0.0; n],
            rows: vec![0.0; data.rows],
            cone: vec![0.0; data.cone_dim()],
            memory: MemBuffer::new(cholesky_in_place_scratch::<f64>(n, Par::Seq, parameters)),
        }
    }

    /// Assembles and factorises H at the iterate `v`.
    pub(super) fn factorise(
        &mut self,
        data: &ConicData,
        v: &Variables,
        scaling: &Scaling,
    ) -> Result<(), NotFactorisable> {
        for i in 0..data.rows {
            self.weights[i] = 1.0 / (v.xi[i] / v.mu[i] + v.s[i] / v.alpha[i]);
        }
        self.weighted_gram(data);
        self.add_diagonal_and_cone(data, scaling);
        self.scale_to_unit_diagonal(data.width)?;
        cholesky_in_place(
            MatMut::from_column_major_slice_mut(&mut self.factor, data.width, data.width),
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

    /// The lower half of `Bᵀ diag(w) B`.
    fn weighted_gram(&mut self, data: &ConicData) {
        let n = data.width;
        let rows = data
            .b
            .chunks_exact(n)
            .zip(self.weighted.chunks_exact_mut(n));
        for ((row, weighted), w) in rows.zip(&self.weights) {
            let root = w.sqrt();
            for (weighted, b) in weighted.iter_mut().zip(row) {
                *weighted = root * b;
            }
        }
        let weighted = MatRef::from_row_major_slice(&self.weighted, data.rows, n);
        matmul(
            MatMut::from_column_major_slice_mut(&mut self.factor, n, n),
            BlockStructure::TriangularLower,
            Accum::Replace,
            weighted.transpose(),
            BlockStructure::Rectangular,
            weighted,
            BlockStructure::Rectangular,
            1.0,
            Par::Seq,
        );
    }

    /// Adds `Q + η⁻²(2qqᵀ + diag(A², 0, −1))`, `q = CᵀJw = (−Aw₁, 0, w₀)`, to the lower half.
    fn add_diagonal_and_cone(&mut self, data: &ConicData, scaling: &Scaling) {
        let n = data.width;
        for k in 0..data.dim {
            self.factor[k * (n + 1)] += data.lambda;
        }
        let Some(a) = &data.cone else { return };
        let scale = scaling.eta().powi(-2);
        let (w0, w1) = (scaling.w()[0], &scaling.w()[1..]);
        for k in 0..data.dim {
            let column = &mut self.factor[k * n..(k + 1) * n];
            let qk = -2.0 * scale * a[k] * w1[k];
            for j in k..data.dim {
                column[j] -= qk * a[j] * w1[j];
            }
            column[k] += scale * a[k] * a[k];
            column[n - 1] += qk * w0;
        }
        // 2w₀² − 1 = w₀² + ‖w₁‖².
        self.factor[n * n - 1] += scale * (w0 * w0 + dot(w1, w1));
    }

    /// `H_jk ← H_jk (H_jj H_kk)^{−1/2}`, so that one threshold for pivots suits all problems.
    fn scale_to_unit_diagonal(&mut self, n: usize) -> Result<(), NotFactorisable> {
        for k in 0..n {
            let h = self.factor[k * (n + 1)];
            if !(h.is_finite() && h > 0.0) {
                return Err(NotFactorisable);
            }
            self.diagonal[k] = 1.0 / h.sqrt();
        }
        for k in 0..n {
            let dk = self.diagonal[k];
            let column = self.factor[k * n + k..(k + 1) * n].iter_mut();
            for (h, dj) in column.zip(&self.diagonal[k..]) {
                *h *= dj * dk;
            }
        }
        Ok(())
    }

    /// Solves `H x = r` by conjugate gradients with the factor as preconditioner.
    ///
    /// One round is one back-substitution; the next ones are iterative refinement against H as an operator, and
    /// also mend the pivots that were replaced.
    pub(super) fn solve(&mut self, data: &ConicData, scaling: &Scaling, r: &[f64], x: &mut [f64]) {
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

            self.apply(data, scaling);
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
            MatRef::from_column_major_slice(&self.factor, n, n),
            MatMut::from_column_major_slice_mut(x, n, 1),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
        for (x, d) in x.iter_mut().zip(&self.diagonal) {
            *x *= d;
        }
    }

    /// `product = H direction`.
    fn apply(&mut self, data: &ConicData, scaling: &Scaling) {
        let (x, product) = (&self.direction, &mut self.product);
        product.fill(0.0);
        for (h, ζ) in product[..data.dim].iter_mut().zip(x) {
            *h = data.lambda * ζ;
        }
        data.mul(x, &mut self.rows);
        for (row, w) in self.rows.iter_mut().zip(&self.weights) {
            *row *= w;
        }
        data.add_mul_transposed(&self.rows, product);
        data.cone_mul(x, &mut self.cone);
        scaling.apply_inverse(&mut self.cone);
        scaling.apply_inverse(&mut self.cone);
        data.add_cone_mul_transposed(1.0, &self.cone, product);
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
