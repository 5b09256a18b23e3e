//! Newton directions of the optimality conditions, and Mehrotra's correction of them.

use super::blocks::Blocks;
use super::data::ConicData;
use super::kkt::Kkt;
use super::sample::respond;
use super::scalings::Scalings;
use super::variables::{Residuals, Variables};
use crate::linear_system::NotFactorisable;

/// What complementarity a direction aims at, beyond that of the iterate; 0 in the predictor.
pub(super) struct Correction {
    /// `Δξ_iΔμ_i − σμ` (L).
    loss: Vec<f64>,
    /// `W⁻¹(λ∖((W⁻¹Δs) ∘ (WΔz) − σμe))` of every cone.
    cones: Blocks,
}

impl Correction {
    /// No correction: the predictor's.
    pub(super) fn zeros(data: &ConicData) -> Self {
        Self {
            loss: vec![0.0; data.samples],
            cones: Blocks::zeros(data),
        }
    }

    /// Back to the predictor's.
    pub(super) fn clear(&mut self) {
        self.loss.fill(0.0);
        self.cones.fill(0.0);
    }

    /// Mehrotra's corrector: the second-order terms of the predictor `d` times `weight`, and the target
    /// `centre` = σμ.
    pub(super) fn set(&mut self, d: &Variables, scalings: &mut Scalings, weight: f64, centre: f64) {
        for ((loss, dxi), dmu) in self.loss.iter_mut().zip(&d.xi).zip(&d.mu) {
            *loss = weight * dxi * dmu - centre;
        }
        scalings.correct((&d.s, &d.z), weight, centre, &mut self.cones);
    }
}

/// The linearised optimality conditions at an iterate, with all the memory they need.
pub(super) struct Newton {
    residuals: Residuals,
    pub(super) scalings: Scalings,
    kkt: Kkt,
    /// Minus Δz where no slack moves.
    offset: Blocks,
    /// `k = (ξμ + loss)/ξ + r_bound`: Δα where ξ does not move (L).
    pull: Vec<f64>,
    rhs: Vec<f64>,
}

impl Newton {
    pub(super) fn new(data: &ConicData) -> Self {
        Self {
            residuals: Residuals::zeros(data),
            scalings: Scalings::new(data),
            kkt: Kkt::new(data),
            offset: Blocks::zeros(data),
            pull: vec![0.0; data.samples],
            rhs: vec![0.0; data.width],
        }
    }

    /// Linearises at `v` and factorises the reduced system.
    pub(super) fn factorise(
        &mut self,
        data: &mut ConicData,
        v: &Variables,
    ) -> Result<(), NotFactorisable> {
        self.residuals.update(data, v);
        self.scalings
            .update(&v.s, &v.z)
            .map_err(|_| NotFactorisable)?;
        for (ratio, (mu, xi)) in self.kkt.ratios.iter_mut().zip(v.mu.iter().zip(&v.xi)) {
            *ratio = mu / xi;
        }
        self.kkt.factorise(data, &self.scalings)
    }

    /// The direction `d` at the iterate `v` that removes the residuals and moves complementarity as
    /// `correction` says.
    pub(super) fn direction(
        &mut self,
        data: &mut ConicData,
        v: &Variables,
        correction: &Correction,
        d: &mut Variables,
    ) {
        self.offset.fill(0.0);
        self.offset.add(1.0, &v.z);
        self.offset.add(1.0, &correction.cones);
        for i in 0..data.samples {
            let c_xi = v.xi[i] * v.mu[i] + correction.loss[i];
            self.pull[i] = c_xi / v.xi[i] + self.residuals.bound[i];
        }
        // Δz where x does not move, and the right-hand side it makes.
        d.x.fill(0.0);
        self.respond(data, d);
        for (rhs, r) in self.rhs.iter_mut().zip(&self.residuals.stationarity) {
            *rhs = -r;
        }
        data.add_mul_transposed(&d.z, &mut self.rhs);
        self.kkt
            .solve(data, &mut self.scalings, &self.rhs, &mut d.x);
        self.respond(data, d);
    }

    /// From Δx to everything else.
    fn respond(&mut self, data: &mut ConicData, d: &mut Variables) {
        data.mul(&d.x, &mut d.s);
        d.s.add(1.0, &self.residuals.slacks);
        d.z.fill(0.0);
        d.z.add(1.0, &d.s);
        let cone = data.n + 1;
        let cones = d.z.samples.chunks_exact_mut(cone);
        for (i, (dz, g)) in cones
            .zip(self.offset.samples.chunks_exact(cone))
            .enumerate()
        {
            let (scaling, p) = (self.scalings.samples.scaling(i), self.kkt.ratios[i]);
            d.xi[i] = respond(scaling, p, dz, Some(g), self.pull[i]);
            d.s.samples[i * cone] += d.xi[i];
            d.mu[i] = self.residuals.bound[i] - dz[0];
        }
        self.scalings.apply_inverse_twice_to_curvature(&mut d.z);
        for (dz, g) in [
            (&mut d.z.curvature, &self.offset.curvature),
            (&mut d.z.matrix, &self.offset.matrix),
        ] {
            for (dz, g) in dz.iter_mut().zip(g) {
                *dz = -(*dz + g);
            }
        }
    }
}
