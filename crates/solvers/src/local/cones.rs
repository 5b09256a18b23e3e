//! Many second-order cones of one dimension, one after the other in memory.

use crate::interior_point::cone::{Scaling, is_inside, longest_step};

/// The Nesterov–Todd scalings of the cones.
pub(super) struct Cones {
    dim: usize,
    scalings: Vec<Scaling>,
    scaled_s: Vec<f64>,
    scaled_z: Vec<f64>,
}

impl Cones {
    /// `count` cones in `R^dim`.
    pub(super) fn new(count: usize, dim: usize) -> Self {
        Self {
            dim,
            scalings: (0..count).map(|_| Scaling::zeros(dim)).collect(),
            scaled_s: vec![0.0; dim],
            scaled_z: vec![0.0; dim],
        }
    }

    /// Sets the scalings to those of the pairs in `s` and `z`, all inside the cones.
    pub(super) fn update(&mut self, s: &[f64], z: &[f64]) {
        let pairs = s.chunks_exact(self.dim).zip(z.chunks_exact(self.dim));
        for (scaling, (s, z)) in self.scalings.iter_mut().zip(pairs) {
            scaling.update(s, z);
        }
    }

    /// The scaling of cone j.
    pub(super) fn scaling(&self, j: usize) -> &Scaling {
        &self.scalings[j]
    }

    /// `v ← W⁻² v` in every cone.
    pub(super) fn apply_inverse_twice(&self, v: &mut [f64]) {
        for (scaling, v) in self.scalings.iter().zip(v.chunks_exact_mut(self.dim)) {
            scaling.apply_inverse(v);
            scaling.apply_inverse(v);
        }
    }

    /// [`Scaling::correct`] in every cone.
    pub(super) fn correct(
        &mut self,
        (ds, dz): (&[f64], &[f64]),
        weight: f64,
        centre: f64,
        out: &mut [f64],
    ) {
        let pairs = ds.chunks_exact(self.dim).zip(dz.chunks_exact(self.dim));
        let out = out.chunks_exact_mut(self.dim);
        for ((scaling, pair), out) in self.scalings.iter().zip(pairs).zip(out) {
            let scaled = (&mut self.scaled_s[..], &mut self.scaled_z[..]);
            scaling.correct(pair, weight, centre, scaled, out);
        }
    }
}

/// The largest step along `d`, at most `limit`, that keeps every cone of `v`.
pub(super) fn longest_step_of_all(v: &[f64], d: &[f64], dim: usize, limit: f64) -> f64 {
    let pairs = v.chunks_exact(dim).zip(d.chunks_exact(dim));
    pairs.fold(limit, |step, (v, d)| step.min(longest_step(v, d)))
}

/// Whether every cone of `v` is inside.
pub(super) fn all_inside(v: &[f64], dim: usize) -> bool {
    v.chunks_exact(dim).all(is_inside)
}
