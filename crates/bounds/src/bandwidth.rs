//! The bandwidth that keeps random Fourier features in the range where their bounds are tight [Couellan & Jan,
//! Prop. 5.1].

use robust_svm_core::CoreError;
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::{BoundError, check};

/// Above this multiple of its standard deviation a Gaussian vector's length exceeds it with the greatest
/// probability if it varies in one direction only.
const LEAST: f64 = 1.24;

/// What the bandwidth rule promises.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Promise {
    /// The range holds with probability 0.997 for each frequency separately.
    EachFrequency,
    /// It holds for all frequencies at once, except with probability `failure`.
    AllFrequencies {
        /// How many there are: D/2 in the paired form, D in the phased one.
        frequencies: usize,
        /// η, in (0, 1).
        failure: f64,
    },
}

/// The least bandwidth σ of a Gaussian kernel on `R^n`, `σ = k γ ‖Σ^{1/2}‖_F / θ_max`, for which
/// `|ω_jᵀδ| ≤ theta_max` for every δ of the set of size `gamma`, where `ω_j ~ N(0, I/σ²)`: for each j separately
/// with probability > 0.997 at k = 3, or for all J frequencies at once with probability ≥ 1 − η at
/// `k = Φ^{-1}(1 − η/2J)` (never below 1.24), which for J = D/2 is `Φ^{-1}(1 − η/D)`. For p = 2; σ and γ are in
/// units of the scaled inputs, θ_max in radians.
///
/// [Couellan & Jan, Prop. 5.1], whose 0.997 is printed as if for all frequencies jointly: it holds for each of
/// them. In one dimension 256 frequencies keep to the range with probability 0.496.
///
/// *Proof.* `max_δ |ωᵀδ| = (γ/σ) ‖Σ^{⊤/2}z‖₂`, z standard normal. `Q = ‖Σ^{⊤/2}z‖²/‖Σ^{1/2}‖_F²` is a quadratic form
/// of mean 1, so for k² > 1.5364 `P[Q ≤ k²] ≥ P[|z₁| ≤ k] = 1 − 2(1 − Φ(k))`, with equality if Σ has rank one
/// [Székely & Bakirov, Probab. Theory Relat. Fields 126 (2003)]; the union bound over j does the rest. ∎
///
/// # Errors
/// [`BoundError::NotValid`] unless p = 2; [`BoundError::Core`] if the set is not one of `R^n` or a number is out
/// of its range.
pub fn least_bandwidth(
    set: &UncertaintySet,
    n: usize,
    gamma: f64,
    theta_max: f64,
    promise: Promise,
) -> Result<f64, BoundError> {
    check::set(set, n)?;
    check::size(gamma)?;
    if !(theta_max > 0.0 && theta_max.is_finite()) {
        return Err(CoreError::parameter("theta_max", "positive and finite", theta_max).into());
    }
    if set.norm() != Norm::Two {
        return Err(BoundError::NotValid {
            bound: "bandwidth rule",
            reason: "Prop. 5.1 is for sets with norm p = 2: use the median distance instead".into(),
        });
    }
    let frobenius = match set.factor() {
        Factor::Identity => (n as f64).sqrt(),
        Factor::Diagonal(scales) => Norm::Two.of(scales.view()),
        Factor::Full(f) => f.iter().map(|v| v * v).sum::<f64>().sqrt(),
    };
    Ok(deviations(promise)? * gamma * frobenius / theta_max)
}

/// k.
fn deviations(promise: Promise) -> Result<f64, CoreError> {
    match promise {
        Promise::EachFrequency => Ok(3.0),
        Promise::AllFrequencies { frequencies: 0, .. } => {
            Err(CoreError::parameter("frequencies", "at least 1", 0))
        }
        Promise::AllFrequencies {
            frequencies,
            failure,
        } => {
            if !(failure > 0.0 && failure < 1.0) {
                return Err(CoreError::parameter("failure", "in (0, 1)", failure));
            }
            // −Φ^{-1} of the small tail keeps its digits.
            let tail = failure / (2.0 * frequencies as f64);
            Ok((-Normal::standard().inverse_cdf(tail)).max(LEAST))
        }
    }
}
