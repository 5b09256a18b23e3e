//! Noisy copies of test rows.

use super::plan::NoisePlan;
use super::prepare::Prepared;
use super::spec_noise::NoiseKind;
use ndarray::{Array2, ArrayView2, Axis, concatenate};
use rand::Rng;
use robust_svm_core::data::{noisy_copies, normal_copies};
use robust_svm_core::uncertainty::UncertaintySet;

/// The copies of test rows under noise of a random `kind` at `level`, the copies of the whole one below the other; `None` for
/// kinds that are not drawn. They do not depend on the method; those of one kind have the same directions at every level.
pub(super) fn copies(
    kind: NoiseKind,
    level: f64,
    prepared: &Prepared,
    noise: &NoisePlan,
) -> Option<Array2<f64>> {
    let x = prepared.test.x().view();
    let mut rng = prepared.seeds.stream(&format!("noise {}", kind.name()));
    let (ball, draws) = (UncertaintySet::sphere(), noise.draws);
    let variance = prepared.variance(level);
    match kind {
        NoiseKind::Uniform => Some(noisy_copies(x, &ball, level, draws, &mut rng)),
        NoiseKind::Gaussian => {
            let deviation = variance.sqrt();
            Some(normal_copies(x, &ball, deviation, draws, &mut rng))
        }
        NoiseKind::Dropout => Some(dropped(x, variance.min(1.0), draws, &mut rng)),
        NoiseKind::None | NoiseKind::WorstCase => None,
    }
}

/// `draws` copies of `x`, each feature 0 with this probability.
fn dropped(
    x: ArrayView2<'_, f64>,
    probability: f64,
    draws: usize,
    rng: &mut impl Rng,
) -> Array2<f64> {
    let mut copies = concatenate(Axis(0), &vec![x; draws]).expect("copies are equally wide");
    copies.mapv_inplace(|value| {
        // A number is drawn for every value, so that levels differ in the threshold alone.
        if rng.gen_range(0.0..1.0) < probability {
            0.0
        } else {
            value
        }
    });
    copies
}

#[cfg(test)]
mod tests {
    use super::dropped;
    use ndarray::Array2;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    /// A share of 0.3 of 20 000 ones is dropped, within five standard deviations, and what is dropped at 0.3 is at 0.6.
    #[test]
    fn features_are_dropped_with_their_probability() {
        let ones = Array2::<f64>::ones((50, 40));
        let rng = || ChaCha20Rng::seed_from_u64(5);
        let some = dropped(ones.view(), 0.3, 10, &mut rng());
        assert_eq!(some.dim(), (500, 40));
        let share = 1.0 - some.mean().unwrap();
        assert!(
            (share - 0.3).abs() < 5.0 * (0.21_f64 / 20_000.0).sqrt(),
            "{share}"
        );
        let more = dropped(ones.view(), 0.6, 10, &mut rng());
        assert!(some.iter().zip(&more).all(|(some, more)| more <= some));
        assert_eq!(dropped(ones.view(), 0.0, 1, &mut rng()), ones);
        assert_eq!(dropped(ones.view(), 1.0, 1, &mut rng()).sum(), 0.0);
    }
}
