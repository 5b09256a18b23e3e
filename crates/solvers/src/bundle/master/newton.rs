//! Newton directions of the master problem's optimality conditions.
//!
//! With `w_k = β_k/s_k`, `v_i = μ_i/ξ_i`, `W_i = Σ_{k of i} w_k`, complementarity aims `c_s`, `c_ξ`, residuals r
//! and `e_k = −c_{s,k}/s_k − w_k r_{margin,k}`, elimination of Δs, Δβ, Δμ and Δξ leaves `H Δx = rhs`,
//!
//! ```text
//! H = Q + Σ_i [ Σ_k w_k g_k g_kᵀ − (Σ_k w_k g_k)(Σ_k w_k g_k)ᵀ/(W_i + v_i) ],
//! Δξ_i = (Σ_k e_k − c_{ξ,i}/ξ_i − r_{bound,i} − Σ_k w_k⟨g_k, Δx⟩)/(W_i + v_i),
//! Δβ_k = e_k − w_k(⟨g_k, Δx⟩ + Δξ_i),   Δμ_i = r_{bound,i} − Σ_kΔβ_k.
//! ```
//!
//! The bracket is the scatter of a sample's pieces and of 0, with weights w and v, about their mean. Joined one
//! after the other, two clusters of weights W, w with means m, g scatter by `Ww/(W+w) (g−m)(g−m)ᵀ` more than
//! each alone: H is `Q + TᵀT` with one row of T for each piece, without cancellation.

use super::variables::Variables;
use crate::Intercept;
use crate::bundle::pieces::Pieces;
use crate::linear_system::{LinearSystem, NotFactorisable, product};
use faer::{Accum, MatRef};

/// The linearised conditions at an iterate, with all the memory they need.
pub(super) struct Newton {
    lambda: f64,
    /// The last diagonal entry of Q, that of the intercept.
    of_intercept: f64,
    /// `Qx − Gᵀβ` (D + 1).
    stationarity: Vec<f64>,
    /// `Gx + Eξ − 1 − s` (M).
    margin: Vec<f64>,
    /// `1 − Eᵀβ − μ` (L).
    bound: Vec<f64>,
    /// T (M × (D+1)), row after row.
    scatter: Vec<f64>,
    system: LinearSystem,
    /// Scratch: the mean of a sample's pieces and the right-hand side (D + 1); e and products (M).
    mean: Vec<f64>,
    rhs: Vec<f64>,
    e: Vec<f64>,
    products: Vec<f64>,
}

/// What the products `s_kβ_k` (M) and `ξ_iμ_i` (L) are to become 0 minus, beyond their values.
pub(super) struct Correction {
    pub(super) slack: Vec<f64>,
    pub(super) loss: Vec<f64>,
}

impl Correction {
    pub(super) fn zeros(pieces: &Pieces) -> Self {
        Self {
            slack: vec![0.0; pieces.len()],
            loss: vec![0.0; pieces.samples()],
        }
    }

    /// Mehrotra's corrector: the second-order terms of the predictor `d` times `weight`, and the target
    /// `centre` = σμ.
    pub(super) fn set(&mut self, d: &Variables, weight: f64, centre: f64) {
        for ((c, s), beta) in self.slack.iter_mut().zip(&d.s).zip(&d.beta) {
            *c = weight * s * beta - centre;
        }
        for ((c, xi), mu) in self.loss.iter_mut().zip(&d.xi).zip(&d.mu) {
            *c = weight * xi * mu - centre;
        }
    }

    /// Back to the predictor's.
    pub(super) fn clear(&mut self) {
        self.slack.fill(0.0);
        self.loss.fill(0.0);
    }
}

impl Newton {
    pub(super) fn new(pieces: &Pieces, lambda: f64, intercept: Intercept) -> Self {
        let n = pieces.width;
        Self {
            lambda,
            of_intercept: match intercept {
                Intercept::Free => 0.0,
                Intercept::Penalised | Intercept::None => lambda,
            },
            stationarity: vec![0.0; n],
            margin: vec![0.0; pieces.len()],
            bound: vec![0.0; pieces.samples()],
            scatter: vec![0.0; pieces.rows.len()],
            system: LinearSystem::new(n),
            mean: vec![0.0; n],
            rhs: vec![0.0; n],
            e: vec![0.0; pieces.len()],
            products: vec![0.0; pieces.len()],
        }
    }

    /// Linearises at `v` and factorises H.
    pub(super) fn factorise(
        &mut self,
        pieces: &Pieces,
        v: &Variables,
    ) -> Result<(), NotFactorisable> {
        self.update_residuals(pieces, v);
        for i in 0..pieces.samples() {
            self.scatter_of(pieces, v, i);
        }
        self.system.assign_gram(&self.scatter);
        let n = pieces.width;
        for k in 0..n - 1 {
            self.system.matrix[k * (n + 1)] += self.lambda;
        }
        self.system.matrix[n * n - 1] += self.of_intercept;
        self.system.factorise()
    }

    fn update_residuals(&mut self, pieces: &Pieces, v: &Variables) {
        self.stationarity.fill(0.0);
        pieces.add_mul_transposed(&v.beta, &mut self.stationarity);
        for r in &mut self.stationarity {
            *r = -*r;
        }
        let dim = pieces.width - 1;
        for (r, ζ) in self.stationarity[..dim].iter_mut().zip(&v.x) {
            *r += self.lambda * ζ;
        }
        self.stationarity[dim] += self.of_intercept * v.x[dim];
        pieces.mul(&v.x, &mut self.margin);
        for i in 0..pieces.samples() {
            let mut alpha = 0.0;
            for k in pieces.of(i) {
                self.margin[k] += v.xi[i] - 1.0 - v.s[k];
                alpha += v.beta[k];
            }
            self.bound[i] = 1.0 - alpha - v.mu[i];
        }
    }

    /// The rows of T of sample `i`: each of its pieces but the first joins those before it, and last of all 0 does.
    fn scatter_of(&mut self, pieces: &Pieces, v: &Variables, i: usize) {
        let n = pieces.width;
        let own = pieces.of(i);
        let mut weight = v.beta[own.start] / v.s[own.start];
        self.mean.copy_from_slice(pieces.row(own.start));
        for k in own.start + 1..own.end {
            let w = v.beta[k] / v.s[k];
            let root = (weight * (w / (weight + w))).sqrt();
            let share = w / (weight + w);
            let out = &mut self.scatter[(k - 1) * n..k * n];
            for ((out, mean), g) in out.iter_mut().zip(&mut self.mean).zip(pieces.row(k)) {
                let difference = g - *mean;
                *out = root * difference;
                *mean += share * difference;
            }
            weight += w;
        }
        let of_zero = v.mu[i] / v.xi[i];
        let root = (weight * (of_zero / (weight + of_zero))).sqrt();
        let out = &mut self.scatter[(own.end - 1) * n..own.end * n];
        for (out, mean) in out.iter_mut().zip(&self.mean) {
            *out = root * mean;
        }
    }

    /// The direction `d` at `v` that removes the residuals and moves complementarity as `correction` says.
    pub(super) fn direction(
        &mut self,
        pieces: &Pieces,
        v: &Variables,
        correction: &Correction,
        d: &mut Variables,
    ) {
        for i in 0..pieces.samples() {
            let (mut total, mut weight) = (0.0, 0.0);
            for k in pieces.of(i) {
                let w = v.beta[k] / v.s[k];
                self.e[k] = -v.beta[k] - correction.slack[k] / v.s[k] - w * self.margin[k];
                total += self.e[k];
                weight += w;
            }
            // Δξ_i without its term in Δx.
            d.xi[i] = (total - v.mu[i] - correction.loss[i] / v.xi[i] - self.bound[i])
                / (weight + v.mu[i] / v.xi[i]);
            for k in pieces.of(i) {
                self.products[k] = self.e[k] - v.beta[k] / v.s[k] * d.xi[i];
            }
        }
        for (rhs, r) in self.rhs.iter_mut().zip(&self.stationarity) {
            *rhs = -r;
        }
        pieces.add_mul_transposed(&self.products, &mut self.rhs);
        self.solve(pieces, &mut d.x);

        pieces.mul(&d.x, &mut self.products);
        for i in 0..pieces.samples() {
            let (mut moved, mut weight) = (0.0, 0.0);
            for k in pieces.of(i) {
                let w = v.beta[k] / v.s[k];
                moved += w * self.products[k];
                weight += w;
            }
            d.xi[i] -= moved / (weight + v.mu[i] / v.xi[i]);
            let mut alpha = 0.0;
            for k in pieces.of(i) {
                d.s[k] = self.products[k] + d.xi[i] + self.margin[k];
                d.beta[k] = -v.beta[k] - (correction.slack[k] + v.beta[k] * d.s[k]) / v.s[k];
                alpha += d.beta[k];
            }
            // Divide by the larger of the pair, or spare the division.
            d.mu[i] = if v.xi[i] > v.mu[i] {
                -v.mu[i] - (correction.loss[i] + v.mu[i] * d.xi[i]) / v.xi[i]
            } else {
                self.bound[i] - alpha
            };
        }
    }

    /// `H x = rhs`.
    fn solve(&mut self, pieces: &Pieces, x: &mut [f64]) {
        let (n, lambda, of_intercept) = (pieces.width, self.lambda, self.of_intercept);
        let scatter = MatRef::from_row_major_slice(&self.scatter, pieces.len(), n);
        let products = &mut self.products;
        let apply = |x: &[f64], out: &mut [f64]| {
            product(scatter, x, Accum::Replace, products);
            for (out, ζ) in out.iter_mut().zip(x) {
                *out = lambda * ζ;
            }
            out[n - 1] = of_intercept * x[n - 1];
            product(scatter.transpose(), products, Accum::Add, out);
        };
        self.system.solve(apply, &self.rhs, x);
    }
}
