//! How much a kernel value `κ(d)` can change when a point at distance d from the centre moves by at most
//! ρ: distances then lie in `[(d−ρ)_+, d+ρ]`, and κ falls with distance. Both by `expm1` of the difference
//! of exponents, so that small ρ keep their digits.

use robust_svm_core::kernel::GaussianKernel;

/// `κ((d−ρ)_+) − κ(d)`: the most it can rise.
pub(crate) fn rise(kernel: GaussianKernel, d: f64, rho: f64) -> f64 {
    // With s = min(d, ρ) the exponents differ by d² − (d−s)² = s (2d − s).
    let s = rho.min(d);
    change(kernel, d - s, s * (2.0 * d - s))
}

/// `κ(d) − κ(d+ρ)`: the most it can fall.
pub(crate) fn fall(kernel: GaussianKernel, d: f64, rho: f64) -> f64 {
    change(kernel, d, rho * (2.0 * d + rho))
}

/// `κ(near) − κ(far)` with `excess = far² − near²`.
fn change(kernel: GaussianKernel, near: f64, excess: f64) -> f64 {
    let σ = kernel.sigma();
    kernel.at_distance(near) * -(-excess / (2.0 * σ * σ)).exp_m1()
}

/// A bound on how fast [`rise`] and [`fall`] change with d, `min(ρ/σ, 1)/σ`: for ρ < d both derivatives are
/// differences of κ′ over a distance ρ, and `|κ″| ≤ 1/σ²`; for d < ρ that of [`rise`] is
/// `−κ′(d) ≤ d/σ² ≤ ρ/σ²`; and all are within `max |κ′| = e^{−1/2}/σ`, κ′ having one sign.
pub(crate) fn slope(kernel: GaussianKernel, rho: f64) -> f64 {
    (rho / kernel.sigma()).min(1.0) / kernel.sigma()
}

#[cfg(test)]
mod tests {
    use super::{fall, rise, slope};
    use proptest::prelude::*;
    use robust_svm_core::kernel::GaussianKernel;

    proptest! {
        #[test]
        fn changes_are_differences_of_kernel_values(
            sigma in 0.2..4.0_f64, d in 0.0..6.0_f64, rho in 0.0..6.0_f64, step in 1e-6..0.5_f64,
        ) {
            let kernel = GaussianKernel::new(sigma).unwrap();
            let κ = |d: f64| kernel.at_distance(d);
            approx::assert_abs_diff_eq!(
                rise(kernel, d, rho), κ((d - rho).max(0.0)) - κ(d), epsilon = 1e-14
            );
            approx::assert_abs_diff_eq!(fall(kernel, d, rho), κ(d) - κ(d + rho), epsilon = 1e-14);
            for change in [rise, fall] {
                let moved = (change(kernel, d + step, rho) - change(kernel, d, rho)).abs();
                prop_assert!(moved <= slope(kernel, rho) * step + 1e-14);
            }
        }
    }

    #[test]
    fn small_movements_keep_their_digits() {
        // −κ′(d) ρ = d ρ/σ² κ(d) to first order.
        let kernel = GaussianKernel::new(2.0).unwrap();
        let first_order = 0.75e-10 * kernel.at_distance(3.0);
        for change in [rise, fall] {
            approx::assert_relative_eq!(
                change(kernel, 3.0, 1e-10),
                first_order,
                max_relative = 1e-9
            );
        }
    }
}
