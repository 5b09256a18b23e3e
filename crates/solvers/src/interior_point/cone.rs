//! The second-order cone `{(v₀, v₁) : ‖v₁‖₂ ≤ v₀}` and its Nesterov–Todd scaling, after
//! L. Vandenberghe, *The CVXOPT linear and quadratic cone program solvers* (2010), §4.
//!
//! J = diag(1, −I). The Jordan product is `a ∘ b = (aᵀb, a₀b₁ + b₀a₁)`, its unit e = (1, 0).

use super::variables::dot;

/// The Nesterov–Todd scaling W of a pair (s, z) inside the cone, `Wz = W⁻¹s = λ`, with
/// `W² = η²(2wwᵀ − J)`, `wᵀJw = 1`.
pub(crate) struct Scaling {
    /// η.
    eta: f64,
    /// w.
    w: Vec<f64>,
    /// λ.
    lambda: Vec<f64>,
}

impl Scaling {
    pub(crate) fn zeros(dim: usize) -> Self {
        Self {
            eta: 1.0,
            w: vec![0.0; dim],
            lambda: vec![0.0; dim],
        }
    }

    /// Sets the scaling to that of (s, z); both must be inside the cone.
    pub(crate) fn update(&mut self, s: &[f64], z: &[f64]) {
        if s.is_empty() {
            return;
        }
        let (s_norm, z_norm) = (determinant(s).sqrt(), determinant(z).sqrt());
        self.eta = (s_norm / z_norm).sqrt();
        let gamma = (0.5 * (1.0 + dot(s, z) / (s_norm * z_norm))).sqrt();
        let (s0, z0) = (s[0] / s_norm, z[0] / z_norm);
        let size = (s_norm * z_norm).sqrt();
        let denominator = s0 + z0 + 2.0 * gamma;
        self.lambda[0] = size * gamma;
        for k in 1..s.len() {
            let (sk, zk) = (s[k] / s_norm, z[k] / z_norm);
            self.w[k] = (sk - zk) / (2.0 * gamma);
            self.lambda[k] = size * ((gamma + z0) * sk + (gamma + s0) * zk) / denominator;
        }
        // wᵀJw = 1 exactly, so that W and W⁻¹ are inverse to rounding.
        self.w[0] = (1.0 + dot(&self.w[1..], &self.w[1..])).sqrt();
    }

    /// η.
    pub(crate) fn eta(&self) -> f64 {
        self.eta
    }

    /// w.
    pub(crate) fn w(&self) -> &[f64] {
        &self.w
    }

    /// `v ← W v`.
    pub(crate) fn apply(&self, v: &mut [f64]) {
        self.hyperbolic(v, 1.0, self.eta);
    }

    /// `v ← W⁻¹ v`.
    pub(crate) fn apply_inverse(&self, v: &mut [f64]) {
        self.hyperbolic(v, -1.0, 1.0 / self.eta);
    }

    /// `v ← scale [w₀, ±w₁ᵀ; ±w₁, I + w₁w₁ᵀ/(1+w₀)] v`.
    fn hyperbolic(&self, v: &mut [f64], sign: f64, scale: f64) {
        let Some((&w0, w1)) = self.w.split_first() else {
            return;
        };
        let inner = dot(w1, &v[1..]);
        let head = v[0];
        let factor = sign * head + inner / (1.0 + w0);
        v[0] = scale * (w0 * head + sign * inner);
        for (v, w) in v[1..].iter_mut().zip(w1) {
            *v = scale * (*v + factor * w);
        }
    }

    /// Mehrotra's correction `W⁻¹(λ∖(weight (W⁻¹Δs) ∘ (WΔz) − centre e))` of the predictor (Δs, Δz) into `out`;
    /// `scaled` is memory of two vectors.
    pub(crate) fn correct(
        &self,
        (ds, dz): (&[f64], &[f64]),
        weight: f64,
        centre: f64,
        (scaled_s, scaled_z): (&mut [f64], &mut [f64]),
        out: &mut [f64],
    ) {
        scaled_s.copy_from_slice(ds);
        scaled_z.copy_from_slice(dz);
        self.apply_inverse(scaled_s);
        self.apply(scaled_z);
        jordan_product(scaled_s, scaled_z, out);
        for product in out.iter_mut() {
            *product *= weight;
        }
        if let Some(head) = out.first_mut() {
            *head -= centre;
        }
        self.divide_by_lambda(out);
        self.apply_inverse(out);
    }

    /// `d ← λ∖d`, the solution x of `λ ∘ x = d`.
    fn divide_by_lambda(&self, d: &mut [f64]) {
        let Some((&l0, l1)) = self.lambda.split_first() else {
            return;
        };
        let x0 = (l0 * d[0] - dot(l1, &d[1..])) / determinant(&self.lambda);
        d[0] = x0;
        for (d, l) in d[1..].iter_mut().zip(l1) {
            *d = (*d - x0 * l) / l0;
        }
    }
}

/// `out = a ∘ b`, the Jordan product.
fn jordan_product(a: &[f64], b: &[f64], out: &mut [f64]) {
    if a.is_empty() {
        return;
    }
    out[0] = dot(a, b);
    for k in 1..a.len() {
        out[k] = a[0] * b[k] + b[0] * a[k];
    }
}

/// `vᵀJv = v₀² − ‖v₁‖²`, positive inside the cone.
fn determinant(v: &[f64]) -> f64 {
    let norm = dot(&v[1..], &v[1..]).sqrt();
    (v[0] - norm) * (v[0] + norm)
}

/// Whether `v` is inside the cone, not on its boundary; true for an empty one.
pub(crate) fn is_inside(v: &[f64]) -> bool {
    v.is_empty() || (v[0] > 0.0 && determinant(v) > 0.0)
}

/// The largest step a with `v + a·direction` in the cone, for v inside; infinite if there is none.
pub(crate) fn longest_step(v: &[f64], direction: &[f64]) -> f64 {
    if v.is_empty() {
        return f64::INFINITY;
    }
    // The hyperbolic map that takes v to a multiple of e takes the direction to ρ.
    let norm = determinant(v).sqrt();
    let v0 = v[0] / norm;
    let d0 = direction[0] / norm;
    let rho0 = v0 * d0 - dot(&v[1..], &direction[1..]) / (norm * norm);
    let factor = (rho0 + d0) / (v0 + 1.0);
    let rho1: f64 = v[1..]
        .iter()
        .zip(&direction[1..])
        .map(|(v, d)| ((d - factor * v) / norm).powi(2))
        .sum();
    let reach = rho1.sqrt() - rho0;
    if reach > 0.0 {
        1.0 / reach
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::{Scaling, determinant, jordan_product, longest_step};
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    /// A point inside the cone from its tail and its distance to the boundary.
    fn inside(tail: &[f64], distance: f64) -> Vec<f64> {
        let norm = tail.iter().map(|t| t * t).sum::<f64>().sqrt();
        std::iter::once(norm + distance)
            .chain(tail.iter().copied())
            .collect()
    }

    proptest! {
        #[test]
        fn the_scaling_maps_both_to_one_point(
            rows in prop::collection::vec((-2.0..2.0_f64, -2.0..2.0_f64, -2.0..2.0_f64), 1..6),
            distances in (1e-2..2.0_f64, 1e-2..2.0_f64),
        ) {
            let s = inside(&rows.iter().map(|r| r.0).collect::<Vec<_>>(), distances.0);
            let z = inside(&rows.iter().map(|r| r.1).collect::<Vec<_>>(), distances.1);
            let mut scaling = Scaling::zeros(s.len());
            scaling.update(&s, &z);
            let (mut from_s, mut from_z) = (s.clone(), z.clone());
            scaling.apply_inverse(&mut from_s);
            scaling.apply(&mut from_z);
            for k in 0..s.len() {
                assert_relative_eq!(from_s[k], scaling.lambda[k], epsilon = 1e-9, max_relative = 1e-9);
                assert_relative_eq!(from_z[k], scaling.lambda[k], epsilon = 1e-9, max_relative = 1e-9);
            }
            // Division undoes the Jordan product.
            let d: Vec<f64> = inside(&rows.iter().map(|r| r.2).collect::<Vec<_>>(), 0.1);
            let mut product = vec![0.0; d.len()];
            jordan_product(&scaling.lambda, &d, &mut product);
            scaling.divide_by_lambda(&mut product);
            for k in 0..d.len() {
                assert_relative_eq!(product[k], d[k], epsilon = 1e-8, max_relative = 1e-8);
            }
        }

        #[test]
        fn the_longest_step_ends_on_the_boundary(
            rows in prop::collection::vec((-2.0..2.0_f64, -2.0..2.0_f64), 1..6),
            distance in 1e-2..2.0_f64, head in -3.0..3.0_f64,
        ) {
            let v = inside(&rows.iter().map(|r| r.0).collect::<Vec<_>>(), distance);
            let d: Vec<f64> = std::iter::once(head).chain(rows.iter().map(|r| r.1)).collect();
            let at = |a: f64| -> Vec<f64> { v.iter().zip(&d).map(|(v, d)| v + a * d).collect() };
            let step = longest_step(&v, &d);
            if step.is_finite() {
                let size: f64 = at(step).iter().map(|v| v * v).sum();
                prop_assert!(determinant(&at(step)).abs() <= 1e-9 * (1.0 + size));
                prop_assert!(determinant(&at(0.999 * step)) > 0.0);
                prop_assert!(at(0.999 * step)[0] > 0.0);
            } else {
                prop_assert!(determinant(&at(1e3)) > -1e-6 && at(1e3)[0] > 0.0);
            }
        }
    }
}
