//! Which training rows become Nyström landmarks, drawn uniformly.

use crate::CoreError;
use ndarray::{Array2, ArrayView2, Axis};
use rand::Rng;

/// `m` different rows of `x` (L × n), drawn uniformly, in increasing order of row.
///
/// # Errors
/// [`CoreError::Parameter`] if `m` is 0 or above L.
pub fn uniform_landmarks(
    x: ArrayView2<'_, f64>,
    m: usize,
    rng: &mut impl Rng,
) -> Result<Array2<f64>, CoreError> {
    check_count(x, m)?;
    let mut rows = rand::seq::index::sample(rng, x.nrows(), m).into_vec();
    rows.sort_unstable();
    Ok(x.select(Axis(0), &rows))
}

/// That `m` landmarks can be had from the rows of `x`.
pub(super) fn check_count(x: ArrayView2<'_, f64>, m: usize) -> Result<(), CoreError> {
    if m == 0 || m > x.nrows() {
        let expected = format!("between 1 and the {} training rows", x.nrows());
        return Err(CoreError::parameter("landmarks", expected, m));
    }
    Ok(())
}

/// That the entries of `x` are finite.
pub(super) fn check_finite(x: ArrayView2<'_, f64>) -> Result<(), CoreError> {
    match x.indexed_iter().find(|(_, v)| !v.is_finite()) {
        Some(((row, column), _)) => Err(CoreError::NotFinite {
            what: "inputs",
            row,
            column,
        }),
        None => Ok(()),
    }
}

/// An index drawn with probability proportional to `weights` (finite, ≥ 0); `None` if all are 0.
pub(super) fn draw_by_weight(weights: &[f64], rng: &mut impl Rng) -> Option<usize> {
    let total: f64 = weights.iter().sum();
    let target = total * rng.r#gen::<f64>();
    let mut sum = 0.0;
    let mut last = None;
    for (index, &weight) in weights.iter().enumerate() {
        if weight > 0.0 {
            sum += weight;
            last = Some(index);
            if target < sum {
                break;
            }
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::{draw_by_weight, uniform_landmarks};
    use ndarray::Array2;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    #[test]
    fn draws_follow_the_weights() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let mut counts = [0.0_f64; 4];
        for _ in 0..20_000 {
            counts[draw_by_weight(&[0.0, 1.0, 3.0, 0.0], &mut rng).unwrap()] += 1.0;
        }
        assert_eq!((counts[0], counts[3]), (0.0, 0.0));
        // Binomial with share ¼: standard deviation 61.
        assert!((counts[1] - 5000.0).abs() < 5.0 * 61.3);
        assert_eq!(draw_by_weight(&[0.0, 0.0], &mut rng), None);
    }

    #[test]
    fn landmarks_are_different_rows_each_as_likely_as_another() {
        let x = Array2::from_shape_fn((10, 1), |(i, _)| i as f64);
        let mut rng = ChaCha20Rng::seed_from_u64(6);
        let mut drawn = [0_i32; 10];
        for _ in 0..2000 {
            let landmarks = uniform_landmarks(x.view(), 3, &mut rng).unwrap();
            let rows: Vec<usize> = landmarks.iter().map(|value| *value as usize).collect();
            assert!(rows.len() == 3 && rows.windows(2).all(|pair| pair[0] < pair[1]));
            for row in rows {
                drawn[row] += 1;
            }
        }
        // 600 of 2000 expected for each; the standard deviation is 20.
        assert!(
            drawn.iter().all(|count| (count - 600).abs() < 100),
            "{drawn:?}"
        );
        for m in [0, 11] {
            assert!(uniform_landmarks(x.view(), m, &mut rng).is_err());
        }
    }
}
