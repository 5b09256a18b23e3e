//! The studentised range with infinite degrees of freedom: the range of k standard normal variables.

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// `P(max − min ≤ q)` of k ≥ 2 independent standard normal variables; 0 for q ≤ 0.
///
/// The minimum is at z and the k − 1 others within q of it [H. A. David and H. N. Nagaraja, *Order Statistics*, 2003,
/// §2.3]: `k ∫ φ(z) [Φ(z + q) − Φ(z)]^{k−1} dz`. By the trapezoidal rule: the integrand is entire and decays as
/// exp(−z²/2), so that the error falls as `exp(−2π²/(k h²))` with the step h, below 1e−20 for k ≤ 100;
/// what is left is that of Φ, below 1e−10.
pub fn studentised_range_cdf(q: f64, k: usize) -> f64 {
    const STEP: f64 = 1.0 / 16.0;
    const END: i32 = 9 * 16;
    if q <= 0.0 {
        return 0.0;
    }
    let normal = Normal::standard();
    let others = i32::try_from(k - 1).unwrap_or(i32::MAX);
    let integrand = |step: i32| {
        let z = STEP * f64::from(step);
        normal.pdf(z) * (normal.cdf(z + q) - normal.cdf(z)).powi(others)
    };
    let integral = STEP * (-END..=END).map(integrand).sum::<f64>();
    (k as f64 * integral).min(1.0)
}

/// The q with `studentised_range_cdf(q, k) = p`, for p in (0, 1) and k ≥ 2, by bisection to the last bits.
pub fn studentised_range_quantile(p: f64, k: usize) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while studentised_range_cdf(high, k) < p && high < 64.0 {
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if studentised_range_cdf(middle, k) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::{studentised_range_cdf, studentised_range_quantile};
    use approx::assert_relative_eq;
    use proptest::prelude::*;
    use statrs::distribution::{ContinuousCDF, Normal};

    /// J. Demšar, JMLR 7 (2006), Table 5a: quantiles over √2 for 2 … 10 classifiers, at 5 % and 10 %.
    #[test]
    fn published_quantiles() {
        let at_5 = [
            1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164,
        ];
        let at_10 = [
            1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920,
        ];
        for (k, (five, ten)) in (2..).zip(at_5.into_iter().zip(at_10)) {
            for (p, expected) in [(0.95, five), (0.9, ten)] {
                let found: f64 = studentised_range_quantile(p, k) / 2.0_f64.sqrt();
                assert!((found - expected).abs() <= 1e-3, "{k} {p} {found}");
            }
        }
    }

    /// scipy 1.17: `studentized_range.ppf(p, k, inf)` and `studentized_range.cdf(q, k, inf)`.
    #[test]
    fn values_of_another_implementation() {
        for (p, k, q) in [
            (0.9, 3, 2.902_380_213_428_251_5),
            (0.95, 3, 3.314_493_155_398_122),
            (0.99, 5, 4.602_821_042_201_571),
            (0.95, 7, 4.169_554_155_006_547),
            (0.95, 20, 5.011_688_794_118_442_5),
        ] {
            assert_relative_eq!(studentised_range_quantile(p, k), q, max_relative = 1e-9);
        }
        for (q, k, p) in [
            (1.0, 7, 0.007_775_994_488_989_647),
            (3.0, 10, 0.487_815_926_029_193_16),
            (5.0, 20, 0.948_635_336_420_866_3),
            (1.0, 20, 4.961_337_569_841_825e-8),
        ] {
            assert_relative_eq!(studentised_range_cdf(q, k), p, max_relative = 1e-9);
        }
    }

    proptest! {
        /// Two variables: the difference is normal with variance 2, in closed form; the quantile undoes the probability; more
        /// variables have a wider range.
        #[test]
        fn closed_form_inverse_and_order(q in 0.01_f64..6.0, k in 2_usize..30) {
            let normal = Normal::standard();
            let two = 2.0 * normal.cdf(q / 2.0_f64.sqrt()) - 1.0;
            prop_assert!((studentised_range_cdf(q, 2) - two).abs() < 1e-10);
            let p = studentised_range_cdf(q, k);
            prop_assert!(p >= studentised_range_cdf(q, k + 1) - 1e-10);
            if (1e-9..1.0).contains(&p) {
                prop_assert!((studentised_range_cdf(studentised_range_quantile(p, k), k) - p).abs() < 1e-10);
            }
        }
    }
}
