//! Newton directions and how far to follow them.

use super::cone::{Scaling, is_inside, jordan_product, longest_step};
use super::data::ConicData;
use super::kkt::Kkt;
use super::variables::{Residuals, Variables};

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
    pub(super) fn zeros(data: &ConicData) -> Self {
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

    /// Mehrotra's corrector: the second-order terms of the predictor `d`, and the target `centre` = σμ.
    pub(super) fn set(&mut self, d: &Variables, scaling: &Scaling, centre: f64) {
        for i in 0..d.s.len() {
            self.slack[i] = d.s[i] * d.alpha[i] - centre;
            self.loss[i] = d.xi[i] * d.mu[i] - centre;
        }
        self.scaled_s.copy_from_slice(&d.s_cone);
        self.scaled_z.copy_from_slice(&d.z_cone);
        scaling.apply_inverse(&mut self.scaled_s);
        scaling.apply(&mut self.scaled_z);
        jordan_product(&self.scaled_s, &self.scaled_z, &mut self.cone);
        if let Some(head) = self.cone.first_mut() {
            *head -= centre;
        }
        scaling.divide_by_lambda(&mut self.cone);
        scaling.apply_inverse(&mut self.cone);
    }
}

/// Scratch of [`newton_direction`].
pub(super) struct Workspace {
    target: Vec<f64>,
    products: Vec<f64>,
    rhs: Vec<f64>,
    cone: Vec<f64>,
}

impl Workspace {
    pub(super) fn new(data: &ConicData) -> Self {
        Self {
            target: vec![0.0; data.rows],
            products: vec![0.0; data.rows],
            rhs: vec![0.0; data.width],
            cone: vec![0.0; data.cone_dim()],
        }
    }
}

/// The Newton direction `d` at `v` that removes the residuals and moves complementarity as `correction`
/// says.
///
/// With `c_s = sα + slack`, `c_ξ = ξμ + loss` and `g = (c_ξ + ξ r_bound)/μ − c_s/α − r_margin`:
/// `Δα = w(g − BΔx)`, and everything else follows by substitution.
#[expect(clippy::too_many_arguments, reason = "one step of one algorithm")]
pub(super) fn newton_direction(
    data: &ConicData,
    v: &Variables,
    r: &Residuals,
    scaling: &Scaling,
    correction: &Correction,
    kkt: &mut Kkt,
    work: &mut Workspace,
    d: &mut Variables,
) {
    for i in 0..data.rows {
        let c_s = v.s[i] * v.alpha[i] + correction.slack[i];
        let c_xi = v.xi[i] * v.mu[i] + correction.loss[i];
        work.target[i] = (c_xi + v.xi[i] * r.bound[i]) / v.mu[i] - c_s / v.alpha[i] - r.margin[i];
        work.products[i] = kkt.weights[i] * work.target[i];
    }
    for (rhs, r) in work.rhs.iter_mut().zip(&r.stationarity) {
        *rhs = -r;
    }
    data.add_mul_transposed(&work.products, &mut work.rhs);
    work.cone.copy_from_slice(&r.cone);
    scaling.apply_inverse(&mut work.cone);
    scaling.apply_inverse(&mut work.cone);
    for k in 0..work.cone.len() {
        work.cone[k] += v.z_cone[k] + correction.cone[k];
    }
    data.add_cone_mul_transposed(-1.0, &work.cone, &mut work.rhs);
    kkt.solve(data, scaling, &work.rhs, &mut d.x);

    data.mul(&d.x, &mut work.products);
    for i in 0..data.rows {
        let (s, ξ) = (v.s[i], v.xi[i]);
        let (alpha, mu) = (v.alpha[i], v.mu[i]);
        let c_s = s * alpha + correction.slack[i];
        let c_xi = ξ * mu + correction.loss[i];
        d.alpha[i] = kkt.weights[i] * (work.target[i] - work.products[i]);
        d.mu[i] = r.bound[i] - d.alpha[i];
        // Divide by the larger multiplier; the other slack follows from the margin's equation.
        if alpha >= mu {
            d.s[i] = -(c_s + s * d.alpha[i]) / alpha;
            d.xi[i] = d.s[i] - work.products[i] - r.margin[i];
        } else {
            d.xi[i] = -(c_xi + ξ * d.mu[i]) / mu;
            d.s[i] = d.xi[i] + work.products[i] + r.margin[i];
        }
    }
    data.cone_mul(&d.x, &mut d.s_cone);
    for (s, r) in d.s_cone.iter_mut().zip(&r.cone) {
        *s += r;
    }
    d.z_cone.copy_from_slice(&d.s_cone);
    scaling.apply_inverse(&mut d.z_cone);
    scaling.apply_inverse(&mut d.z_cone);
    for k in 0..d.z_cone.len() {
        d.z_cone[k] = -(d.z_cone[k] + v.z_cone[k] + correction.cone[k]);
    }
}

/// The largest step, at most `limit`, that keeps every variable of `v` non-negative along `d`.
pub(super) fn longest_feasible_step(v: &Variables, d: &Variables, limit: f64) -> f64 {
    let mut step = limit
        .min(longest_step(&v.s_cone, &d.s_cone))
        .min(longest_step(&v.z_cone, &d.z_cone));
    for (value, change) in [
        (&v.s, &d.s),
        (&v.xi, &d.xi),
        (&v.alpha, &d.alpha),
        (&v.mu, &d.mu),
    ] {
        for (value, change) in value.iter().zip(change) {
            if *change < 0.0 {
                step = step.min(-value / change);
            }
        }
    }
    step
}

/// Whether the cone's variables are inside it, beyond rounding.
pub(super) fn cone_is_inside(v: &Variables) -> bool {
    is_inside(&v.s_cone) && is_inside(&v.z_cone)
}
