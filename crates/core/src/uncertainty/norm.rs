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

    /// The variance of each coordinate of the uniform distribution in the unit ball of `R^n`, whose covariance is that times I:
    /// `2/((n+1)(n+2))` for p = 1, `1/(n+2)` for p = 2 and ⅓ for p = ∞.
    ///
    /// *Proof.* `|u_1|` has a density in proportion to the volume of the ball's slice there: `(1−t)^{n−1}` for p = 1, `(1−t²)^{(n−1)/2}` for
    /// p = 2, 1 for p = ∞; the means of t² are ratios of beta functions. Changes of sign leave the ball as it is, so that
    /// coordinates are uncorrelated. ∎
    pub fn uniform_variance(self, n: usize) -> f64 {
        let n = n as f64;
        match self {
            Self::One => 2.0 / ((n + 1.0) * (n + 2.0)),
            Self::Two => 1.0 / (n + 2.0),
            Self::Infinity => 1.0 / 3.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Norm;
    use crate::uncertainty::{Factor, UncertaintySet};
    use ndarray::Array1;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    /// Of 40,000 draws, each row's mean square within 5 standard errors.
    #[test]
    fn the_uniform_distribution_has_its_variance() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        for norm in [Norm::One, Norm::Two, Norm::Infinity] {
            for n in [1, 2, 5] {
                let set = UncertaintySet::new(norm, Factor::Identity).unwrap();
                let square = |_| set.sample(1.0, n, &mut rng)[0].powi(2);
                let squares: Array1<f64> = (0..40_000).map(square).collect();
                let error = squares.std(1.0) / 200.0;
                let apart = squares.mean().unwrap() - norm.uniform_variance(n);
                assert!(
                    apart.abs() <= 5.0 * error,
                    "{norm:?} {n}: {apart} ± {error}"
                );
            }
        }
    }

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
