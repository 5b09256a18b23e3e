//! `‖M‖_{p→2} = max { ‖M u‖₂ : ‖u‖_p ≤ 1 }`, or an upper bound where it is NP-hard (p = ∞).

use super::Norm;
use crate::CoreError;
use crate::linalg::{matmul_transposed, spectral_norm};
use ndarray::{ArrayView2, Axis};

/// Added to every result, relative: the Gram matrix and its largest eigenvalue are computed to about
/// (rows + columns) units in the last place, so up to some 4,000 of them the result stays above the
/// true norm.
const ROUNDING: f64 = 1e-12;

/// `‖M‖_{p→2}` of `m` (r × n), never below the true value: p = 2 the spectral norm; p = 1 the largest
/// column norm; p = ∞ the smaller of `√n ‖M‖₂` and `sqrt(Σ_kl |MᵀM|_kl)`, which is exact for a
/// diagonal M.
///
/// # Errors
/// [`CoreError::Numerical`] if an entry is not finite.
pub fn operator_norm(m: ArrayView2<'_, f64>, p: Norm) -> Result<f64, CoreError> {
    let norm = match p {
        Norm::One => m
            .axis_iter(Axis(1))
            .fold(0.0_f64, |largest, column| largest.max(Norm::Two.of(column))),
        Norm::Two => spectral_norm(m)?,
        Norm::Infinity => {
            let by_length = (m.ncols() as f64).sqrt() * spectral_norm(m)?;
            let gram = matmul_transposed(m.t(), m.t());
            by_length.min(gram.iter().map(|g| g.abs()).sum::<f64>().sqrt())
        }
    };
    Ok(norm * (1.0 + ROUNDING))
}

#[cfg(test)]
mod tests {
    use super::operator_norm;
    use crate::uncertainty::{Factor, Norm, UncertaintySet};
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2, array};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};

    #[test]
    fn diagonal_matrices_worked_by_hand() {
        let m = array![[3.0, 0.0], [0.0, -4.0]];
        for (p, exact) in [(Norm::One, 4.0), (Norm::Two, 4.0), (Norm::Infinity, 5.0)] {
            assert_relative_eq!(
                operator_norm(m.view(), p).unwrap(),
                exact,
                max_relative = 1e-11
            );
        }
    }

    proptest! {
        /// `‖M u‖` is never larger over the ball; power steps u ← maximiser of ⟨MᵀMu, ·⟩ climb to the
        /// norm itself for p ∈ {1, 2}.
        #[test]
        fn no_vector_of_the_ball_is_stretched_further(
            seed in any::<u64>(), rows in 1..8_usize, n in 1..8_usize,
        ) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let m = Array2::from_shape_simple_fn((rows, n), || StandardNormal.sample(&mut rng));
            for p in [Norm::One, Norm::Two, Norm::Infinity] {
                let norm = operator_norm(m.view(), p).unwrap();
                let ball = UncertaintySet::new(p, Factor::Identity).unwrap();
                for _ in 0..4 {
                    let mut u: Array1<f64> = ball.sample_coordinates(1.0, n, &mut rng);
                    for _ in 0..50 {
                        let image = m.dot(&u);
                        prop_assert!(image.dot(&image).sqrt() <= norm * (1.0 + 1e-14));
                        u = ball.maximiser(m.t().dot(&image).view(), 1.0);
                    }
                }
            }
        }
    }
}
