//! The reduced system `H Δx = r`, `H = Q + Bᵀ diag(w) B + CᵀW⁻²C`.

use super::cone::Scaling;
use super::data::ConicData;
use super::variables::{Variables, dot};
use crate::linear_system::{COLUMNS, LinearSystem, NotFactorisable, Operator};
use crate::workers::SAMPLES;

/// The factorised system, with all the memory it needs.
pub(super) struct Kkt {
    /// The weights w (L).
    pub(super) weights: Vec<f64>,
    system: LinearSystem,
    /// L and cone-sized scratch of [`Kkt::solve`].
    rows: Vec<f64>,
    weighted: Vec<f64>,
    cone: Vec<f64>,
}

impl Kkt {
    pub(super) fn new(data: &ConicData<'_>) -> Self {
        Self {
            weights: vec![0.0; data.rows],
            system: LinearSystem::with_workers(data.width, data.workers),
            rows: vec![0.0; data.rows],
            weighted: vec![0.0; data.rows],
            cone: vec![0.0; data.cone_dim()],
        }
    }

    /// As [`LinearSystem::forget`].
    pub(super) fn forget(&mut self) {
        self.system.forget();
    }

    /// Assembles and factorises H at the iterate `v`.
    pub(super) fn factorise(
        &mut self,
        data: &ConicData<'_>,
        v: &Variables,
        scaling: &Scaling,
    ) -> Result<(), NotFactorisable> {
        data.workers
            .blocks(&mut self.weights, SAMPLES, |k, weights| {
                for (weight, i) in weights.iter_mut().zip(k * SAMPLES..) {
                    *weight = 1.0 / (v.xi[i] / v.mu[i] + v.s[i] / v.alpha[i]);
                }
            });
        data.b.assign_gram(&self.weights, &mut self.system);
        self.add_diagonal_and_cone(data, scaling);
        self.system.factorise()
    }

    /// Adds `Q + η⁻²(2qqᵀ + diag(A², 0, −1))`, `q = CᵀJw = (−Aw₁, 0, w₀)`, to the lower half.
    fn add_diagonal_and_cone(&mut self, data: &ConicData<'_>, scaling: &Scaling) {
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
        let columns = &mut self.system.matrix[..data.dim * n];
        data.workers.blocks(columns, COLUMNS * n, |block, columns| {
            for (column, k) in columns.chunks_exact_mut(n).zip(block * COLUMNS..) {
                let qk = -2.0 * scale * a[k] * w1[k];
                for j in k..data.dim {
                    column[j] -= qk * a[j] * w1[j];
                }
                column[k] += scale * a[k] * a[k];
                column[n - 1] += qk * w0;
            }
        });
        // 2w₀² − 1 = w₀² + ‖w₁‖².
        self.system.matrix[n * n - 1] += scale * (w0 * w0 + dot(w1, w1));
    }

    /// Solves `H x = r` to a relative residual of `accuracy`, and `products = Bx` (L) on the way.
    pub(super) fn solve(
        &mut self,
        (data, scaling): (&ConicData<'_>, &Scaling),
        accuracy: f64,
        r: &[f64],
        (x, products): (&mut [f64], &mut [f64]),
    ) {
        products.fill(0.0);
        let h = Reduced {
            data,
            scaling,
            weights: &self.weights,
            rows: &mut self.rows,
            weighted: &mut self.weighted,
            cone: &mut self.cone,
            products,
        };
        self.system.solve_to(accuracy, h, r, x);
    }
}

/// H as an operator, which adds up the products of B with the steps made.
struct Reduced<'a> {
    data: &'a ConicData<'a>,
    scaling: &'a Scaling,
    weights: &'a [f64],
    rows: &'a mut [f64],
    weighted: &'a mut [f64],
    cone: &'a mut [f64],
    products: &'a mut [f64],
}

impl Operator for Reduced<'_> {
    fn apply(&mut self, x: &[f64], out: &mut [f64]) {
        let data = self.data;
        out.fill(0.0);
        for (h, ζ) in out[..data.dim].iter_mut().zip(x) {
            *h = data.lambda * ζ;
        }
        if let Some(q) = data.intercept {
            out[data.dim] = q * x[data.dim];
        }
        let room = (&mut *self.rows, &mut *self.weighted);
        let by = (x, self.weights);
        data.b.mul_normal(by, room, out, data.workers);
        data.cone_mul(x, self.cone);
        self.scaling.apply_inverse(self.cone);
        self.scaling.apply_inverse(self.cone);
        data.add_cone_mul_transposed(1.0, self.cone, out);
    }

    fn advanced(&mut self, length: f64) {
        for (product, row) in self.products.iter_mut().zip(&*self.rows) {
            *product += length * row;
        }
    }
}
