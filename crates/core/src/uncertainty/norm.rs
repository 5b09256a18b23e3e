//! The p-norms of the uncertainty sets and their duals.

use ndarray::ArrayView1;

/// A norm of the perturbation's coordinates `u`, p ∈ {1, 2, ∞}.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Norm {
    /// p = 1.
    One,
    /// p = 2.
    Two,
    /// p = ∞.
    Infinity,
}

impl Norm {
    /// The dual norm: exponent q with 1/p + 1/q = 1.
    #[must_use]
    pub fn dual(self) -> Self {
        match self {
            Self::One => Self::Infinity,
            Self::Two => Self::Two,
            Self::Infinity => Self::One,
        }
    }

    /// The norm of `v`.
    pub fn of(self, v: ArrayView1<'_, f64>) -> f64 {
        match self {
            Self::One => v.iter().map(|x| x.abs()).sum(),
            Self::Two => v.iter().map(|x| x * x).sum::<f64>().sqrt(),
            Self::Infinity => v.iter().fold(0.0, |m, x| m.max(x.abs())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Norm;
    use ndarray::Array1;
    use proptest::prelude::*;

    proptest! {
        /// Hölder: `⟨a, b⟩ ≤ ‖a‖_p ‖b‖_q`.
        #[test]
        fn dual_norms_bound_the_inner_product(
            pairs in prop::collection::vec((-9.0..9.0_f64, -9.0..9.0_f64), 1..12)
        ) {
            let a: Array1<f64> = pairs.iter().map(|p| p.0).collect();
            let b: Array1<f64> = pairs.iter().map(|p| p.1).collect();
            for norm in [Norm::One, Norm::Two, Norm::Infinity] {
                let bound = norm.of(a.view()) * norm.dual().of(b.view());
                prop_assert!(a.dot(&b) <= bound * (1.0 + 1e-12) + 1e-12);
            }
        }
    }
}
