//! The certified relative gap.

/// A dual value above the primal one by more than this share is no rounding.
const ROUNDING: f64 = 1e-6;

/// `(P − D)/P` of a primal value P and a dual value D: by weak duality the optimal value P* satisfies
/// `D ≤ P* ≤ P`, so P is within this share of the optimum. At least 0; NaN where a value is NaN or the dual one is above the primal.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct RelativeGap(f64);

impl RelativeGap {
    /// The gap between a primal and a dual value.
    ///
    /// Two classes force P* > 0, so the gap is infinite if P is 0 (ζ and the losses underflowed). A dual
    /// value a little above the primal one is rounding, and the gap 0; one further above contradicts weak
    /// duality, so one of the two is wrong, and the gap is NaN.
    pub fn new(primal: f64, dual: f64) -> Self {
        if dual > primal * (1.0 + ROUNDING) {
            Self(f64::NAN)
        } else if primal > 0.0 {
            Self(((primal - dual) / primal).clamp(0.0, f64::INFINITY))
        } else if primal.is_nan() || dual.is_nan() {
            Self(f64::NAN)
        } else {
            Self(f64::INFINITY)
        }
    }

    /// The gap as a number, ≥ 0.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl std::fmt::Display for RelativeGap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1e}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::RelativeGap;

    #[test]
    fn corner_cases() {
        assert_eq!(RelativeGap::new(4.0, 3.0).value(), 0.25);
        assert_eq!(RelativeGap::new(4.0, -4.0).value(), 2.0);
        assert_eq!(RelativeGap::new(1.0, 1.0 + 1e-16).value(), 0.0);
        assert!(RelativeGap::new(1.0, 1.1).value().is_nan());
        assert_eq!(RelativeGap::new(0.0, 0.0).value(), f64::INFINITY);
        assert_eq!(
            RelativeGap::new(1.0, f64::NEG_INFINITY).value(),
            f64::INFINITY
        );
        assert!(RelativeGap::new(1.0, f64::NAN).value().is_nan());
        assert!(RelativeGap::new(f64::NAN, 1.0).value().is_nan());
    }
}
