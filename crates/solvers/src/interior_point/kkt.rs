//! The reduced system `H Δx = r`, `H = Q + Bᵀ diag(w) B + CᵀW⁻²C`.

use super::cone::Scaling;
use super::data::ConicData;
use super::variables::{Variables, dot};
use crate::linear_system::{LinearSystem, NotFactorisable};

/// The factorised system, with all the memory it needs.
pub(super) struct Kkt {
    /// The weights w (L).
    pub(super) weights: Vec<f64>,
    /// `diag(√w) B` (L × width), row after row.
    weighted: Vec<f64>,
    system: LinearSystem,
    /// L and cone-sized scratch of [`Kkt::solve`].
    rows: Vec<f64>,
    cone: Vec<f64>,
}

impl Kkt {
    pub(super) fn new(data: &ConicData) -> Self {
        Self {
            weights: vec![0.0; data.rows],
            weighted: vec![0.0; data.rows * data.width],
            system: LinearSystem::new(data.width),
            rows: vec![0.0; data.rows],
            cone: vec![0.0; data.cone_dim()],
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
        self.system.factorise()
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
        self.system.assign_gram(&self.weighted);
    }

    /// Adds `Q + η⁻²(2qqᵀ + diag(A², 0, −1))`, `q = CᵀJw = (−Aw₁, 0, w₀)`, to the lower half.
    fn add_diagonal_and_cone(&mut self, data: &ConicData, scaling: &Scaling) {
        let n = data.width;
        for k in 0..data.dim {
            self.system.matrix[k * (n + 1)] += data.lambda;
        }
        if let Some(q) = data.intercept {
            self.system.matrix[data.dim * (n + 1)] += q;
        }
        let Some(a) = &data.cone else { return };
        let scale = scaling.eta().powi(-2);
        let (w0, w1) = (scaling.w()[0], &scaling.w()[1..]);
        for k in 0..data.dim {
            let column = &mut self.system.matrix[k * n..(k + 1) * n];
            let qk = -2.0 * scale * a[k] * w1[k];
            for j in k..data.dim {
                column[j] -= qk * a[j] * w1[j];
            }
            column[k] += scale * a[k] * a[k];
            column[n - 1] += qk * w0;
        }
        // 2w₀² − 1 = w₀² + ‖w₁‖².
        self.system.matrix[n * n - 1] += scale * (w0 * w0 + dot(w1, w1));
    }

    /// Solves `H x = r`.
    pub(super) fn solve(&mut self, data: &ConicData, scaling: &Scaling, r: &[f64], x: &mut [f64]) {
        let (weights, rows, cone) = (&self.weights, &mut self.rows, &mut self.cone);
        let apply = |x: &[f64], product: &mut [f64]| {
            product.fill(0.0);
            for (h, ζ) in product[..data.dim].iter_mut().zip(x) {
                *h = data.lambda * ζ;
            }
            if let Some(q) = data.intercept {
                product[data.dim] = q * x[data.dim];
            }
            data.mul(x, rows);
            for (row, w) in rows.iter_mut().zip(weights) {
                *row *= w;
            }
            data.add_mul_transposed(rows, product);
            data.cone_mul(x, cone);
            scaling.apply_inverse(cone);
            scaling.apply_inverse(cone);
            data.add_cone_mul_transposed(1.0, cone, product);
        };
        self.system.solve(apply, r, x);
    }
}
