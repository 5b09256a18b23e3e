//! Newton directions of the optimality conditions, and Mehrotra's correction of them.

use super::cone::Scaling;
use super::data::ConicData;
use super::kkt::Kkt;
use super::products::Products;
use super::variables::{Residuals, Variables};
use crate::linear_system::NotFactorisable;
use crate::workers::Workers;

/// What complementarity a direction aims at, beyond that of the iterate: the products are to become 0
/// minus these terms, `Δs_iΔα_i − σμ` and so on in the corrector, 0 in the predictor.
pub(super) struct Correction {
    /// For the pairs (s, α) (L).
    slack: Vec<f64>,
    /// For the pairs (ξ, μ) (L).
    loss: Vec<f64>,
    /// For the cone: `W⁻¹(λ∖((W⁻¹Δs_c) ∘ (WΔz) − σμe))`.
    cone: Vec<f64>,
    scaled_s: Vec<f64>,
    scaled_z: Vec<f64>,
}

impl Correction {
    /// No correction: the predictor's.
    pub(super) fn zeros(data: &ConicData<'_>) -> Self {
        Self {
            slack: vec![0.0; data.rows],
            loss: vec![0.0; data.rows],
            cone: vec![0.0; data.cone_dim()],
            scaled_s: vec![0.0; data.cone_dim()],
            scaled_z: vec![0.0; data.cone_dim()],
        }
    }

    /// Back to the predictor's.
    pub(super) fn clear(&mut self) {
        self.slack.fill(0.0);
        self.loss.fill(0.0);
        self.cone.fill(0.0);
    }

    /// Mehrotra's corrector: the second-order terms of the predictor `d` times `weight`, and the target
    /// `centre` = σμ.
    pub(super) fn set(
        &mut self,
        d: &Variables,
        scaling: &Scaling,
        (weight, centre): (f64, f64),
        workers: Workers,
    ) {
        workers.samples((&mut self.slack, &mut self.loss), |i, slack, loss| {
            *slack = weight * d.s[i] * d.alpha[i] - centre;
            *loss = weight * d.xi[i] * d.mu[i] - centre;
        });
        let scaled = (&mut self.scaled_s[..], &mut self.scaled_z[..]);
        let predictor = (&d.s_cone[..], &d.z_cone[..]);
        scaling.correct(predictor, weight, centre, scaled, &mut self.cone);
    }

    /// Gondzio's corrector: after a step of `step` along `d` from `v`, products of pairs below [`LEAST`] or above [`MOST`] times
    /// `centre` are to be brought back to these; large ones are lowered by no more than the latter. The cone keeps its
    /// correction [J. Gondzio, Comput. Optim. Appl. 6 (1996)].
    pub(super) fn centre(
        &mut self,
        v: &Variables,
        d: &Variables,
        (step, centre): (f64, f64),
        workers: Workers,
    ) {
        let excess = |(x, dx): (&f64, &f64), (z, dz): (&f64, &f64)| {
            let product = (x + step * dx) * (z + step * dz);
            let target = product.clamp(LEAST * centre, MOST * centre);
            (product - target).min(MOST * centre)
        };
        workers.samples((&mut self.slack, &mut self.loss), |i, slack, loss| {
            *slack += excess((&v.s[i], &d.s[i]), (&v.alpha[i], &d.alpha[i]));
            *loss += excess((&v.xi[i], &d.xi[i]), (&v.mu[i], &d.mu[i]));
        });
    }
}

/// Products of pairs that are central enough: between these times the centre.
const LEAST: f64 = 0.1;
const MOST: f64 = 10.0;

/// The linearised optimality conditions at an iterate, with all the memory they need.
pub(super) struct Newton {
    residuals: Residuals,
    scaling: Scaling,
    kkt: Kkt,
    target: Vec<f64>,
    products: Vec<f64>,
    rhs: Vec<f64>,
    cone: Vec<f64>,
}

impl Newton {
    pub(super) fn new(data: &ConicData<'_>) -> Self {
        Self {
            residuals: Residuals::zeros(data),
            scaling: Scaling::zeros(data.cone_dim()),
            kkt: Kkt::new(data),
            target: vec![0.0; data.rows],
            products: vec![0.0; data.rows],
            rhs: vec![0.0; data.width],
            cone: vec![0.0; data.cone_dim()],
        }
    }

    /// Linearises at `v` and factorises the reduced system.
    pub(super) fn factorise(
        &mut self,
        data: &ConicData<'_>,
        v: &Variables,
        products: &Products,
    ) -> Result<(), NotFactorisable> {
        self.residuals.update(data, v, products);
        self.scaling.update(&v.s_cone, &v.z_cone);
        self.kkt.factorise(data, v, &self.scaling)
    }

    /// Forgets all that a direction reads of an earlier one.
    pub(super) fn forget(&mut self) {
        self.kkt.forget();
    }

    /// The cone's scaling at the iterate.
    pub(super) fn scaling(&self) -> &Scaling {
        &self.scaling
    }

    /// The direction `d` at the iterate `v` that removes the residuals and moves complementarity as
    /// `correction` says, the reduced system solved to a relative residual of `accuracy`.
    ///
    /// With `c_s = sα + slack`, `c_ξ = ξμ + loss` and `g = (c_ξ + ξ r_bound)/μ − c_s/α − r_margin`:
    /// `Δα = w(g − BΔx)`, and everything else follows by substitution.
    pub(super) fn direction(
        &mut self,
        data: &ConicData<'_>,
        v: &Variables,
        (correction, accuracy): (&Correction, f64),
        d: &mut Variables,
    ) {
        let (residuals, weights) = (&self.residuals, &self.kkt.weights);
        let written = (&mut self.target[..], &mut self.products[..]);
        data.workers.samples(written, |i, target, product| {
            let c_s = v.s[i] * v.alpha[i] + correction.slack[i];
            let c_xi = v.xi[i] * v.mu[i] + correction.loss[i];
            *target = (c_xi + v.xi[i] * residuals.bound[i]) / v.mu[i]
                - c_s / v.alpha[i]
                - residuals.margin[i];
            *product = weights[i] * *target;
        });
        for (rhs, r) in self.rhs.iter_mut().zip(&self.residuals.stationarity) {
            *rhs = -r;
        }
        data.add_mul_transposed(&self.products, &mut self.rhs);
        self.cone.copy_from_slice(&self.residuals.cone);
        self.scaling.apply_inverse(&mut self.cone);
        self.scaling.apply_inverse(&mut self.cone);
        for k in 0..self.cone.len() {
            self.cone[k] += v.z_cone[k] + correction.cone[k];
        }
        data.add_cone_mul_transposed(-1.0, &self.cone, &mut self.rhs);
        let solution = (&mut d.x[..], &mut self.products[..]);
        self.kkt
            .solve((data, &self.scaling), accuracy, &self.rhs, solution);

        let (residuals, weights) = (&self.residuals, &self.kkt.weights);
        let (target, products) = (&self.target, &self.products);
        let multipliers = (&mut d.alpha[..], &mut d.mu[..]);
        data.workers.samples(multipliers, |i, d_alpha, d_mu| {
            *d_alpha = weights[i] * (target[i] - products[i]);
            *d_mu = residuals.bound[i] - *d_alpha;
        });
        let (d_alpha, d_mu) = (&d.alpha, &d.mu);
        data.workers.samples((&mut d.s, &mut d.xi), |i, d_s, d_xi| {
            let (s, ξ) = (v.s[i], v.xi[i]);
            let (alpha, mu) = (v.alpha[i], v.mu[i]);
            // Divide by the larger multiplier; the other slack follows from the margin's equation.
            if alpha >= mu {
                let c_s = s * alpha + correction.slack[i];
                *d_s = -(c_s + s * d_alpha[i]) / alpha;
                *d_xi = *d_s - products[i] - residuals.margin[i];
            } else {
                let c_xi = ξ * mu + correction.loss[i];
                *d_xi = -(c_xi + ξ * d_mu[i]) / mu;
                *d_s = *d_xi + products[i] + residuals.margin[i];
            }
        });
        data.cone_mul(&d.x, &mut d.s_cone);
        for (s, r) in d.s_cone.iter_mut().zip(&self.residuals.cone) {
            *s += r;
        }
        d.z_cone.copy_from_slice(&d.s_cone);
        self.scaling.apply_inverse(&mut d.z_cone);
        self.scaling.apply_inverse(&mut d.z_cone);
        for k in 0..d.z_cone.len() {
            d.z_cone[k] = -(d.z_cone[k] + v.z_cone[k] + correction.cone[k]);
        }
    }
}
