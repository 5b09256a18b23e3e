//! The cone of positive semi-definite n × n matrices and its Nesterov–Todd scaling, after L. Vandenberghe, *The
//! CVXOPT linear and quadratic cone program solvers* (2010), §4.3.
//!
//! The Jordan product is `A ∘ B = ½(AB + BA)`, its unit I.

use ndarray::{Array1, Array2, ArrayView2};
use robust_svm_core::CoreError;
use robust_svm_core::linalg::{matmul, matmul_into, matmul_transposed, symmetric_eigen};

/// The scaling `W(Z) = RᵀZR`, `W^{−⊤}(S) = R⁻¹SR^{−⊤}` of a pair (S, Z) inside the cone that takes both to one
/// diagonal matrix, diag(λ).
pub(super) struct PsdScaling {
    /// R, its inverse, and `R^{−⊤}R⁻¹` (n × n).
    r: Array2<f64>,
    inverse: Array2<f64>,
    metric: Array2<f64>,
    lambda: Array1<f64>,
    scratch: Array2<f64>,
    product: Array2<f64>,
}

impl PsdScaling {
    pub(super) fn new(n: usize) -> Self {
        let zeros = || Array2::zeros((n, n));
        Self {
            r: zeros(),
            inverse: zeros(),
            metric: zeros(),
            lambda: Array1::zeros(n),
            scratch: zeros(),
            product: zeros(),
        }
    }

    /// Sets the scaling to that of (S, Z).
    ///
    /// With any `S = L₁L₁ᵀ` and `L₁ᵀZL₁ = U diag(λ)² Uᵀ` it is `R = L₁U diag(λ)^{−1/2}`. Near the central path all λ are
    /// alike, so the squares lose nothing.
    ///
    /// # Errors
    /// [`CoreError::Numerical`] if S or Z is not inside the cone.
    pub(super) fn update(&mut self, s: &[f64], z: &[f64]) -> Result<(), CoreError> {
        let n = self.lambda.len();
        let (roots, axes) = positive_eigen(square(s, n))?;
        let roots = roots.mapv(f64::sqrt);
        let root = &axes * &roots;
        let inverse_root = &axes / &roots;
        let product = matmul(root.t(), matmul(square(z, n), root.view()).view());
        let (squares, turn) = positive_eigen(product.view())?;
        self.lambda = squares.mapv(f64::sqrt);
        let scales = self.lambda.mapv(f64::sqrt);
        self.r = matmul(root.view(), (&turn / &scales).view());
        self.inverse = matmul_transposed((&turn * &scales).t(), inverse_root.view());
        self.metric = matmul(self.inverse.t(), self.inverse.view());
        Ok(())
    }

    /// R⁻¹.
    pub(super) fn inverse(&self) -> ArrayView2<'_, f64> {
        self.inverse.view()
    }

    /// `R⁻¹ S R^{−⊤}`.
    pub(super) fn scaled_s(&self, s: &[f64]) -> Array2<f64> {
        let half = matmul(self.inverse.view(), square(s, self.lambda.len()));
        matmul_transposed(half.view(), self.inverse.view())
    }

    /// `Rᵀ Z R`.
    pub(super) fn scaled_z(&self, z: &[f64]) -> Array2<f64> {
        let half = matmul(self.r.t(), square(z, self.lambda.len()));
        matmul(half.view(), self.r.view())
    }

    /// `V ← W⁻¹(W^{−⊤}(V)) = R^{−⊤}R⁻¹ V R^{−⊤}R⁻¹`.
    pub(super) fn apply_inverse_twice(&mut self, v: &mut [f64]) {
        let n = self.lambda.len();
        let metric = self.metric.view();
        matmul_into(metric, square(v, n), self.scratch.view_mut());
        matmul_into(self.scratch.view(), metric, self.product.view_mut());
        for (k, value) in v.iter_mut().enumerate() {
            // Symmetric to the last bit.
            *value = 0.5 * (self.product[(k / n, k % n)] + self.product[(k % n, k / n)]);
        }
    }

    /// Mehrotra's correction `W⁻¹(λ∖(weight (W^{−⊤}ΔS) ∘ (WΔZ) − centre I))` of the predictor (ΔS, ΔZ) into `out`.
    pub(super) fn correct(
        &self,
        (ds, dz): (&[f64], &[f64]),
        weight: f64,
        centre: f64,
        out: &mut [f64],
    ) {
        let n = self.lambda.len();
        let product = matmul(self.scaled_s(ds).view(), self.scaled_z(dz).view());
        let divided = Array2::from_shape_fn((n, n), |(i, j)| {
            let target = if i == j { centre } else { 0.0 };
            let jordan = 0.5 * (product[(i, j)] + product[(j, i)]);
            2.0 * (weight * jordan - target) / (self.lambda[i] + self.lambda[j])
        });
        let half = matmul(self.inverse.t(), divided.view());
        let full = matmul(half.view(), self.inverse.view());
        for (k, value) in out.iter_mut().enumerate() {
            *value = 0.5 * (full[(k / n, k % n)] + full[(k % n, k / n)]);
        }
    }

    /// The largest step along `scaled`, a direction in the scaled space, that stays in the cone; infinite if there is
    /// none, 0 if the direction is not finite.
    pub(super) fn longest_step(&self, scaled: &Array2<f64>) -> f64 {
        let n = self.lambda.len();
        let relative = Array2::from_shape_fn((n, n), |(i, j)| {
            scaled[(i, j)] / (self.lambda[i] * self.lambda[j]).sqrt()
        });
        match symmetric_eigen(relative.view()) {
            Ok((values, _)) if values[0] < 0.0 => -1.0 / values[0],
            Ok(_) => f64::INFINITY,
            Err(_) => 0.0,
        }
    }
}

/// Whether `v` (n × n) is inside the cone.
pub(super) fn is_inside(v: &[f64], n: usize) -> bool {
    positive_eigen(square(v, n)).is_ok()
}

/// `v` as an n × n matrix.
pub(super) fn square(v: &[f64], n: usize) -> ArrayView2<'_, f64> {
    ArrayView2::from_shape((n, n), v).expect("n² entries")
}

/// Eigenvalues, all positive, and eigenvectors.
fn positive_eigen(a: ArrayView2<'_, f64>) -> Result<(Array1<f64>, Array2<f64>), CoreError> {
    let (values, vectors) = symmetric_eigen(a)?;
    if values.iter().all(|value| *value > 0.0) {
        Ok((values, vectors))
    } else {
        Err(CoreError::Numerical("a matrix left its cone".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::{PsdScaling, is_inside};
    use approx::assert_relative_eq;
    use ndarray::Array2;
    use proptest::prelude::*;
    use robust_svm_core::linalg::symmetric_eigen;

    const N: usize = 4;

    fn positive(entries: &[f64]) -> Array2<f64> {
        let half = Array2::from_shape_vec((N, N), entries.to_vec()).unwrap();
        half.dot(&half.t()) + Array2::<f64>::eye(N) * 0.1
    }

    fn symmetric(entries: &[f64]) -> Array2<f64> {
        let half = Array2::from_shape_vec((N, N), entries.to_vec()).unwrap();
        &half + &half.t()
    }

    proptest! {
        /// Both ends are taken to diag(λ), and steps end on the boundary of the cone.
        #[test]
        fn the_scaling_maps_both_to_one_point(
            a in prop::collection::vec(-1.0..1.0_f64, N * N), b in prop::collection::vec(-1.0..1.0_f64, N * N),
            c in prop::collection::vec(-1.0..1.0_f64, N * N),
        ) {
            let (s, z, d) = (positive(&a), positive(&b), symmetric(&c));
            let slice = |m: &Array2<f64>| m.iter().copied().collect::<Vec<_>>();
            let mut scaling = PsdScaling::new(N);
            scaling.update(&slice(&s), &slice(&z)).unwrap();
            let diagonal = Array2::from_diag(&scaling.lambda);
            assert_relative_eq!(scaling.scaled_s(&slice(&s)), diagonal, epsilon = 1e-8);
            assert_relative_eq!(scaling.scaled_z(&slice(&z)), diagonal, epsilon = 1e-8);
            let mut twice = slice(&s);
            scaling.apply_inverse_twice(&mut twice);
            for (twice, z) in twice.iter().zip(&z) {
                assert_relative_eq!(*twice, *z, epsilon = 1e-7);
            }
            for (step, from) in [
                (scaling.longest_step(&scaling.scaled_s(&slice(&d))), &s),
                (scaling.longest_step(&scaling.scaled_z(&slice(&d))), &z),
            ] {
                if step.is_infinite() {
                    // A direction that is positive by chance.
                    prop_assert!(is_inside(&slice(&(from + &d * 1e3)), N));
                    continue;
                }
                let (values, _) = symmetric_eigen((from + &d * step).view()).unwrap();
                prop_assert!(values[0].abs() <= 1e-7 * values[N - 1], "{values}");
                prop_assert!(is_inside(&slice(&(from + &d * (0.99 * step))), N));
            }
        }

        /// The correction solves `λ ∘ (W C) = weight (W^{−⊤}ΔS) ∘ (WΔZ) − centre I`.
        #[test]
        fn the_correction_solves_its_equation(
            a in prop::collection::vec(-1.0..1.0_f64, N * N), b in prop::collection::vec(-1.0..1.0_f64, N * N),
            c in prop::collection::vec(-1.0..1.0_f64, N * N), d in prop::collection::vec(-1.0..1.0_f64, N * N),
        ) {
            let (s, z, ds, dz) = (positive(&a), positive(&b), symmetric(&c), symmetric(&d));
            let slice = |m: &Array2<f64>| m.iter().copied().collect::<Vec<_>>();
            let mut scaling = PsdScaling::new(N);
            scaling.update(&slice(&s), &slice(&z)).unwrap();
            let mut correction = vec![0.0; N * N];
            scaling.correct((&slice(&ds), &slice(&dz)), 0.7, 0.3, &mut correction);
            let jordan = |a: &Array2<f64>, b: &Array2<f64>| (a.dot(b) + b.dot(a)) * 0.5;
            let left = jordan(&Array2::from_diag(&scaling.lambda), &scaling.scaled_z(&correction));
            let product = jordan(&scaling.scaled_s(&slice(&ds)), &scaling.scaled_z(&slice(&dz)));
            assert_relative_eq!(left, product * 0.7 - Array2::<f64>::eye(N) * 0.3, epsilon = 1e-6, max_relative = 1e-6);
        }
    }
}
