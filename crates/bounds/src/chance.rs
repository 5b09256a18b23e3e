//! Sizes of uncertainty sets for noise that keeps to them with a given probability.
//!
//! The noise δ has mean 0 and covariance Σ, and the sets are `{ Σ^{1/2}u : ‖u‖₂ ≤ γ }`. A linear model is robust on a set
//! of [`linear_size`] iff its margin survives the noise with probability at least 1 − ε; a nonlinear model needs a set that
//! holds the noise itself with that probability, [`set_size`], which is larger.

use robust_svm_core::CoreError;
use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};

/// What is known of the noise beside its covariance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noise {
    /// It is normal.
    Gaussian,
    /// Nothing.
    Any,
}

/// The least γ for which `y f(x) ≥ γ‖Σ^{⊤/2}w‖₂` gives `P[y f(x+δ) ≥ 0] ≥ 1 − ε` for every linear f:
///
/// - Gaussian: `γ = Φ^{-1}(1−ε)`, for ε ≤ ½;
/// - any noise: `γ = sqrt((1−ε)/ε)` [P. Shivaswamy, C. Bhattacharyya, A. Smola, JMLR 7 (2006)].
///
/// Couellan & Jan (§3) print `sqrt(ε/(1−ε))` and give it to the normal case: it tends to 0 as the confidence grows.
///
/// *Proof.* `y f(x+δ) = y f(x) + z`, z of mean 0 and standard deviation `s = ‖Σ^{⊤/2}w‖`. If z is normal `P[z < −γs] =
/// Φ(−γ)`. For any z Cantelli's inequality says `P[z < −γs] ≤ 1/(1+γ²)`, and a law with two values reaches it. ∎
///
/// # Errors
/// [`CoreError::Parameter`] for ε outside (0, 1), and above ½ for Gaussian noise, where γ would be negative.
pub fn linear_size(epsilon: f64, noise: Noise) -> Result<f64, CoreError> {
    check(epsilon)?;
    match noise {
        Noise::Gaussian if epsilon > 0.5 => Err(CoreError::parameter(
            "epsilon",
            "at most 0.5 for linear models and Gaussian noise",
            epsilon,
        )),
        // The quantile of the small tail keeps its digits.
        Noise::Gaussian => Ok((-Normal::standard().inverse_cdf(epsilon)).max(0.0)),
        Noise::Any => Ok(((1.0 - epsilon) / epsilon).sqrt()),
    }
}

/// The least γ for which the set holds the noise in `R^n` with probability at least 1 − ε, so that every model that is
/// robust on it keeps its decision with that probability:
///
/// - Gaussian: `γ = sqrt(χ²_{n,1−ε})`, the root of the quantile of the χ² distribution with n degrees of freedom;
/// - any noise: `γ = sqrt(n/ε)`.
///
/// *Proof.* `δ = Σ^{1/2}z` with z of mean 0 and covariance I (if Σ is singular, I on a subspace). `‖z‖²` is χ²_n if z is normal,
/// and of mean at most n always, so that Markov's inequality says `P[‖z‖² > n/ε] ≤ ε`. ∎
///
/// # Errors
/// [`CoreError::Parameter`] for n = 0 and for ε outside (0, 1).
pub fn set_size(n: usize, epsilon: f64, noise: Noise) -> Result<f64, CoreError> {
    check(epsilon)?;
    if n == 0 {
        return Err(CoreError::parameter("n", "at least 1", n));
    }
    match noise {
        Noise::Gaussian => Ok(chi_squared_quantile(n, epsilon)?.sqrt()),
        Noise::Any => Ok((n as f64 / epsilon).sqrt()),
    }
}

fn check(epsilon: f64) -> Result<(), CoreError> {
    if epsilon > 0.0 && epsilon < 1.0 {
        Ok(())
    } else {
        Err(CoreError::parameter("epsilon", "in (0, 1)", epsilon))
    }
}

/// The least x with `P[χ²_n > x] ≤ ε`, by bisection of the upper tail: 1 − ε would lose the digits of a small ε.
fn chi_squared_quantile(n: usize, epsilon: f64) -> Result<f64, CoreError> {
    let law = ChiSquared::new(n as f64)
        .map_err(|error| CoreError::Numerical(format!("χ² distribution of n = {n}: {error}")))?;
    let (mut low, mut high) = (0.0, n as f64);
    while law.sf(high) > epsilon {
        (low, high) = (high, 2.0 * high);
    }
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return Ok(high);
        }
        if law.sf(middle) > epsilon {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Noise, linear_size, set_size};
    use approx::assert_relative_eq;

    /// Quantiles as tabulated, to ten digits.
    #[test]
    fn tabulated_quantiles() {
        let normal = |epsilon| linear_size(epsilon, Noise::Gaussian).unwrap();
        assert_eq!(normal(0.5), 0.0);
        for (epsilon, quantile) in [
            (0.1, 1.281_551_566),
            (0.05, 1.644_853_627),
            (0.01, 2.326_347_874),
            (0.001, 3.090_232_306),
            (1e-12, 7.034_483_825),
        ] {
            assert_relative_eq!(normal(epsilon), quantile, max_relative = 1e-9);
        }
        for (n, epsilon, quantile) in [
            (1, 0.05, 3.841_458_821),
            (2, 0.05, 5.991_464_547),
            (10, 0.05, 18.307_038_053),
            (10, 0.95, 3.940_299_136),
            (30, 0.01, 50.892_181_312),
            (100, 0.1, 118.498_003_814),
        ] {
            let size = set_size(n, epsilon, Noise::Gaussian).unwrap();
            assert_relative_eq!(size * size, quantile, max_relative = 1e-9);
        }
        // Of two degrees of freedom the tail is exp(−x/2).
        let size = set_size(2, 1e-40, Noise::Gaussian).unwrap();
        assert_relative_eq!(size * size, 80.0 * 10.0_f64.ln(), max_relative = 1e-12);
    }

    #[test]
    fn sizes_without_a_law_worked_by_hand() {
        let linear = |epsilon| linear_size(epsilon, Noise::Any).unwrap();
        assert_relative_eq!(linear(0.5), 1.0);
        assert_relative_eq!(linear(0.2), 2.0, max_relative = 1e-15);
        assert_relative_eq!(linear(0.9), 1.0 / 3.0, max_relative = 1e-15);
        assert_relative_eq!(set_size(5, 0.05, Noise::Any).unwrap(), 10.0);
    }

    #[test]
    fn ranges_are_checked() {
        for noise in [Noise::Gaussian, Noise::Any] {
            for epsilon in [0.0, 1.0, -0.1, f64::NAN, f64::INFINITY] {
                assert!(linear_size(epsilon, noise).is_err());
                assert!(set_size(3, epsilon, noise).is_err());
            }
            assert!(set_size(0, 0.1, noise).is_err());
        }
        assert!(linear_size(0.6, Noise::Gaussian).is_err());
        assert!(linear_size(0.6, Noise::Any).is_ok());
        assert!(set_size(1, 0.6, Noise::Gaussian).is_ok());
    }
}
