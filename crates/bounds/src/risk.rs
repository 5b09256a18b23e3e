//! What is known of a classifier's risk before any test: Rademacher complexities and the excess risk of kernel classifiers.
//!
//! Bounds of the average case, where [`crate::certify`] has the worst.

use crate::BoundError;
use robust_svm_core::CoreError;
use std::f64::consts::LN_2;

/// A convex surrogate φ of the 0-1 loss with φ(0) = 1, and what turns its excess risk into that of the 0-1 loss.
///
/// `H(η) = min_a ηφ(a) + (1−η)φ(−a)` is the least conditional risk at a point whose class is +1 with probability η. With
/// `|η − ½| ≤ c(1 − H(η))^r` the excess 0-1 risk is at most `2c (excess φ-risk)^r` [T. Zhang, Annals of Statistics 32 (2004), Theorem 2.1].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surrogate {
    /// `max{0, 1 − a}`: L = 1. The least of a function that is linear between its kinks ±1 is at one of them, `H = 2 min{η, 1−η}`, so
    /// `1 − H = |2η − 1|`: c = ½, r = 1, with equality.
    Hinge,
    /// `(1 − a)²`: least at `a = 2η − 1`, `1 − H = (2η − 1)²`: c = ½, r = ½, with equality. On `|a| ≤ B` L = 2(1 + B).
    Squared,
    /// `log₂(1 + e^{−a})`: L = 1/ln 2, least at `a = ln(η/(1−η))`, H the entropy of η in bits, and `1 − H ≥ (2/ln 2)(η − ½)²` by Pinsker's
    /// inequality: c = sqrt(ln 2/2), r = ½.
    Logistic,
}

impl Surrogate {
    /// φ(a).
    pub fn loss(self, a: f64) -> f64 {
        match self {
            Self::Hinge => (1.0 - a).max(0.0),
            Self::Squared => (1.0 - a) * (1.0 - a),
            Self::Logistic => ((-a).max(0.0) + (-a.abs()).exp().ln_1p()) / LN_2,
        }
    }

    /// c.
    pub fn factor(self) -> f64 {
        match self {
            Self::Hinge | Self::Squared => 0.5,
            Self::Logistic => (0.5 * LN_2).sqrt(),
        }
    }

    /// r.
    pub fn exponent(self) -> f64 {
        match self {
            Self::Hinge => 1.0,
            Self::Squared | Self::Logistic => 0.5,
        }
    }

    /// L, the Lipschitz constant of φ on `|a| ≤ bound`.
    pub fn lipschitz(self, bound: f64) -> f64 {
        match self {
            Self::Hinge => 1.0,
            Self::Squared => 2.0 * (1.0 + bound),
            Self::Logistic => LN_2.recip(),
        }
    }
}

/// The terms of a bound on the excess 0-1 risk; their sum is the bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExcessRisk {
    /// `2c (4LB sqrt(k_max/n))^r`: the ball has many functions, the sample n points.
    pub estimation: f64,
    /// `2c (2LB sqrt(k_max) sqrt(2 ln(2/δ)/n))^r`: the sample may be an unlucky one.
    pub deviation: f64,
    /// `2c (a)^r`, a the excess φ-risk of the best function of the ball: it depends on the unknown distribution and is `None`.
    pub approximation: Option<f64>,
}

/// The bound on the excess 0-1 risk of a minimiser of the empirical φ-risk over the ball of radius `radius` = B of a kernel's Hilbert
/// space, `k(x, x) ≤ k_max`, from `samples` = n independent points, which holds with probability 1 − δ, δ = `failure`: with
/// `a` the excess φ-risk of the best function of the ball,
///
/// ```text
/// 2c(4LB sqrt(k_max/n))^r + 2c(2LB sqrt(k_max) sqrt(2 ln(2/δ)/n))^r + 2c(a)^r
/// ```
///
/// [*Learning with kernels*, Theorem 15.1, corrected: the printed second term lacks the factor B sqrt(k_max), B being the λ of that text. The
/// losses of the ball differ by up to 2LB sqrt(k_max) at a point, which is what enters McDiarmid's inequality; without the factor a ball
/// of twice the radius and a loss half as steep, the same problem, would have another bound].
///
/// # Errors
/// [`BoundError::Core`] unless B and k_max are finite and ≥ 0, n ≥ 1 and δ in (0, 1).
pub fn excess_risk(
    surrogate: Surrogate,
    radius: f64,
    k_max: f64,
    samples: usize,
    failure: f64,
) -> Result<ExcessRisk, BoundError> {
    check_number("radius", radius)?;
    check_number("k_max", k_max)?;
    check_samples(samples)?;
    if !(failure > 0.0 && failure < 1.0) {
        return Err(CoreError::parameter("failure", "in (0, 1)", failure).into());
    }
    let n = samples as f64;
    let range = radius * k_max.sqrt();
    let loss_range = surrogate.lipschitz(range) * range;
    let term = |excess: f64| 2.0 * surrogate.factor() * excess.powf(surrogate.exponent());
    Ok(ExcessRisk {
        estimation: term(4.0 * loss_range / n.sqrt()),
        deviation: term(2.0 * loss_range * (2.0 * (2.0 / failure).ln() / n).sqrt()),
        approximation: None,
    })
}

/// `A sqrt(tr K)/N`: at least the empirical Rademacher complexity `E_s sup (1/N) Σ_i s_i f_i` over the functions `f_i = ⟨w, μ_i⟩`, `‖w‖ ≤ A`,
/// of N inputs with kernel matrix K, of which `trace` is the trace [Laakom et al., Theorem 5].
///
/// *Proof.* The supremum is `(A/N)‖Σs_iμ_i‖ = (A/N) sqrt(sᵀKs)`; by Jensen's inequality its mean is at most
/// `(A/N) sqrt(E sᵀKs) = (A/N) sqrt(tr K)`. ∎
///
/// # Errors
/// [`BoundError::Core`] unless A and the trace are finite and ≥ 0 and N ≥ 1.
pub fn rademacher(radius: f64, trace: f64, samples: usize) -> Result<f64, BoundError> {
    check_number("radius", radius)?;
    check_number("trace", trace)?;
    check_samples(samples)?;
    Ok(radius * trace.sqrt() / samples as f64)
}

/// The linear kernel's [`rademacher`] in two parts: of the means, and of the uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitRademacher {
    /// `(A/N) sqrt(tr K_GE)`, K_GE the kernel matrix of the means `m_i`.
    pub points: f64,
    /// `(A/N) sqrt(Σ_i tr Σ_i)`.
    pub uncertainty: f64,
}

impl SplitRademacher {
    /// Their sum, the bound.
    pub fn total(self) -> f64 {
        self.points + self.uncertainty
    }
}

/// `(A/N) sqrt(tr K_GE) + (A/N) sqrt(Σ_i tr Σ_i)`: at least [`rademacher`] of the linear kernel `K_ij = m_iᵀm_j + δ_ij tr Σ_i`, as
/// `sqrt(a + b) ≤ sqrt a + sqrt b` [Laakom et al., Theorem 6]. `points` is tr K_GE, `uncertainty` Σ tr Σ_i.
///
/// # Errors
/// As [`rademacher`].
pub fn split_rademacher(
    radius: f64,
    points: f64,
    uncertainty: f64,
    samples: usize,
) -> Result<SplitRademacher, BoundError> {
    Ok(SplitRademacher {
        points: rademacher(radius, points, samples)?,
        uncertainty: rademacher(radius, uncertainty, samples)?,
    })
}

fn check_number(name: &'static str, value: f64) -> Result<(), CoreError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(CoreError::parameter(name, "finite and ≥ 0", value))
}

fn check_samples(samples: usize) -> Result<(), CoreError> {
    if samples > 0 {
        return Ok(());
    }
    Err(CoreError::parameter("samples", "at least 1", samples))
}
