//! Landmarks by ridge leverage scores [Alaoui & Mahoney, NeurIPS 2015, "Fast Randomized Kernel Ridge
//! Regression with Statistical Guarantees", Definition 1]: rows that the others do not stand for are drawn
//! more often.

use super::landmarks::{check_count, check_finite, draw_by_weight};
use crate::CoreError;
use crate::kernel::GaussianKernel;
use crate::linalg::positive_definite_solve;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use rand::Rng;

/// The most rows that leverage scores are computed for: time grows with their cube and memory with their
/// square.
pub const LEVERAGE_ROWS: usize = 4_000;

/// The exact ridge leverage scores `l_i = (K (K + ridge I)⁻¹)_ii` of the rows of `x` (L × n), K their kernel
/// matrix: each in (0, 1), together the effective dimension `tr K (K + ridge I)⁻¹`.
///
/// # Errors
/// [`CoreError::Parameter`] if L is above [`LEVERAGE_ROWS`] or `ridge` is not positive and finite;
/// [`CoreError::NotFinite`] if `x` is not finite; [`CoreError::Numerical`] where `ridge` is so small that
/// K + ridge I is singular to rounding.
pub fn leverage_scores(
    x: ArrayView2<'_, f64>,
    kernel: GaussianKernel,
    ridge: f64,
) -> Result<Array1<f64>, CoreError> {
    check_finite(x)?;
    if x.nrows() > LEVERAGE_ROWS {
        let expected = format!("at most {LEVERAGE_ROWS} for leverage scores");
        return Err(CoreError::parameter("training rows", expected, x.nrows()));
    }
    if !(ridge > 0.0 && ridge.is_finite()) {
        return Err(CoreError::parameter("ridge", "positive and finite", ridge));
    }
    let gram = kernel.matrix(x, x);
    let mut shifted = gram.clone();
    shifted.diag_mut().mapv_inplace(|k| k + ridge);
    // Solved for, and not as 1 − ridge ((K + ridge I)⁻¹)_ii, which loses its digits where ridge is large.
    let smoother = positive_definite_solve(shifted, gram)?;
    Ok(smoother.diag().mapv(|score| score.clamp(0.0, 1.0)))
}

/// `m` different rows of `x` (L × n), drawn one after the other with probability proportional to their
/// [`leverage_scores`] among those left, in increasing order of row.
///
/// # Errors
/// [`CoreError::Parameter`] if `m` is 0 or above L; otherwise as [`leverage_scores`].
pub fn leverage_landmarks(
    x: ArrayView2<'_, f64>,
    kernel: GaussianKernel,
    m: usize,
    ridge: f64,
    rng: &mut impl Rng,
) -> Result<Array2<f64>, CoreError> {
    check_count(x, m)?;
    let mut weights = leverage_scores(x, kernel, ridge)?.to_vec();
    let mut rows = Vec::with_capacity(m);
    while rows.len() < m {
        let row = draw_by_weight(&weights, rng).ok_or_else(|| {
            CoreError::Numerical("fewer leverage scores above 0 than landmarks".into())
        })?;
        weights[row] = 0.0;
        rows.push(row);
    }
    rows.sort_unstable();
    Ok(x.select(Axis(0), &rows))
}

#[cfg(test)]
mod tests {
    use super::{LEVERAGE_ROWS, leverage_landmarks, leverage_scores};
    use crate::CoreError;
    use crate::kernel::GaussianKernel;
    use crate::linalg::symmetric_eigen;
    use approx::assert_relative_eq;
    use ndarray::{Array2, array};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};

    fn normal(rows: usize, n: usize, seed: u64) -> Array2<f64> {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        Array2::from_shape_simple_fn((rows, n), || StandardNormal.sample(&mut rng))
    }

    /// Two rows with k(x, z) = c: the eigenvalues of K are 1 ± c, so `l = ½ Σ (1±c)/(1±c+r)` for both.
    #[test]
    fn two_rows_worked_by_hand() {
        let kernel = GaussianKernel::new(1.0).unwrap();
        let x = array![[0.0], [1.2]];
        let (c, r) = ((-0.72_f64).exp(), 0.3);
        let expected = 0.5 * ((1.0 + c) / (1.0 + c + r) + (1.0 - c) / (1.0 - c + r));
        let scores = leverage_scores(x.view(), kernel, r).unwrap();
        assert_relative_eq!(scores, array![expected, expected], max_relative = 1e-14);
        // A row by itself: 1/(1 + r), with all its digits at any r.
        for r in [1e-9, 1.0, 1e20] {
            let alone = leverage_scores(array![[3.0]].view(), kernel, r).unwrap();
            assert_relative_eq!(alone[0], 1.0 / (1.0 + r), max_relative = 1e-15);
        }
    }

    proptest! {
        /// Against the eigenvalues: `Σ l_i = Σ λ/(λ + r)`, `l_i = Σ_k u_ik² λ_k/(λ_k + r)`.
        #[test]
        fn scores_are_shares_of_the_effective_dimension(
            seed in any::<u64>(), rows in 1..40_usize, n in 1..4_usize, exponent in -6..7_i32,
        ) {
            let kernel = GaussianKernel::new(1.1).unwrap();
            let ridge = 10.0_f64.powi(exponent);
            let x = normal(rows, n, seed);
            let scores = leverage_scores(x.view(), kernel, ridge).unwrap();
            prop_assert!(scores.iter().all(|l| *l > 0.0 && *l < 1.0));
            let (values, vectors) = symmetric_eigen(kernel.matrix(x.view(), x.view()).view()).unwrap();
            let shares = values.mapv(|λ| λ.max(0.0) / (λ.max(0.0) + ridge));
            let error = 1e-13 * rows as f64 / ridge.min(1.0);
            assert_relative_eq!(scores.sum(), shares.sum(), epsilon = error, max_relative = error);
            let by_eigen = vectors.mapv(|u| u * u).dot(&shares);
            assert_relative_eq!(scores, by_eigen, epsilon = error, max_relative = error);
        }
    }

    #[test]
    fn an_outlier_scores_higher_than_a_repeated_row() {
        let kernel = GaussianKernel::new(1.0).unwrap();
        let x = array![[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [5.0, 5.0]];
        let scores = leverage_scores(x.view(), kernel, 1.0).unwrap();
        // Three equal rows have one eigenvalue 3 between them, the outlier 1 by itself.
        assert_relative_eq!(scores[0], 3.0 / 4.0 / 3.0, epsilon = 1e-10);
        assert_relative_eq!(scores[3], 0.5, epsilon = 1e-10);
        // So as the only landmark it is drawn in 2 of 5 cases.
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        let draws = 2000;
        let drawn = (0..draws)
            .filter(|_| {
                leverage_landmarks(x.view(), kernel, 1, 1.0, &mut rng).unwrap()[(0, 0)] > 1.0
            })
            .count();
        let share = drawn as f64 / f64::from(draws);
        assert!((share - 0.4).abs() < 5.0 * (0.24 / f64::from(draws)).sqrt());
    }

    #[test]
    fn landmarks_are_different_rows_of_the_same_stream() {
        let kernel = GaussianKernel::new(1.0).unwrap();
        let x = normal(50, 2, 5);
        let run = |m, seed| {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            leverage_landmarks(x.view(), kernel, m, 1.0, &mut rng).unwrap()
        };
        assert_eq!(run(12, 6), run(12, 6));
        assert_ne!(run(12, 6), run(12, 7));
        assert_eq!(run(50, 8), x);
        let chosen = run(12, 6);
        let places: Vec<usize> = chosen
            .outer_iter()
            .map(|c| x.outer_iter().position(|row| row == c).unwrap())
            .collect();
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let kernel = GaussianKernel::new(1.0).unwrap();
        let rows = Array2::zeros((LEVERAGE_ROWS + 1, 1));
        let error = leverage_scores(rows.view(), kernel, 1.0).unwrap_err();
        assert!(matches!(
            error,
            CoreError::Parameter {
                name: "training rows",
                ..
            }
        ));
        let x = array![[0.0], [0.0]];
        for ridge in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(leverage_scores(x.view(), kernel, ridge).is_err());
        }
        // Two equal rows, and a ridge that vanishes beside 1.
        let singular = leverage_scores(x.view(), kernel, 1e-30).unwrap_err();
        assert!(matches!(singular, CoreError::Numerical(_)));
        let mut rng = ChaCha20Rng::seed_from_u64(9);
        assert!(leverage_landmarks(x.view(), kernel, 3, 1.0, &mut rng).is_err());
        let nan = array![[f64::NAN]];
        assert!(leverage_landmarks(nan.view(), kernel, 1, 1.0, &mut rng).is_err());
    }
}
