//! Random noise on test points.

use crate::uncertainty::UncertaintySet;
use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

/// `draws` noisy copies of every row of `x` (p × n), each moved by a perturbation uniform in `set` of
/// size `gamma`: draws·p × n, the copies of the whole of `x` one below the other.
///
/// # Panics
/// If `draws` is 0.
pub fn noisy_copies(
    x: ArrayView2<'_, f64>,
    set: &UncertaintySet,
    gamma: f64,
    draws: usize,
    rng: &mut impl Rng,
) -> Array2<f64> {
    copies(x, draws, || set.sample(gamma, x.ncols(), rng))
}

/// As [`noisy_copies`] with perturbations `scale · Σ^{1/2} z`, z standard normal: normal noise of covariance `scale² Σ`,
/// Σ the shape of `set`.
///
/// # Panics
/// If `draws` is 0.
pub fn normal_copies(
    x: ArrayView2<'_, f64>,
    set: &UncertaintySet,
    scale: f64,
    draws: usize,
    rng: &mut impl Rng,
) -> Array2<f64> {
    copies(x, draws, || {
        let normal = || -> f64 { StandardNormal.sample(rng) };
        let mut z = Array1::from_shape_simple_fn(x.ncols(), normal);
        z *= scale;
        set.scale(z.view_mut());
        z
    })
}

/// `draws` copies of the rows of `x`, each moved by its own perturbation.
fn copies(
    x: ArrayView2<'_, f64>,
    draws: usize,
    mut perturbation: impl FnMut() -> Array1<f64>,
) -> Array2<f64> {
    let mut copies = concatenate(Axis(0), &vec![x; draws]).expect("copies are equally wide");
    for mut row in copies.outer_iter_mut() {
        row += &perturbation();
    }
    copies
}

#[cfg(test)]
mod tests {
    use super::{noisy_copies, normal_copies};
    use crate::kernel::distance;
    use crate::uncertainty::{Norm, UncertaintySet};
    use ndarray::{Array2, Axis, array};
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    /// Every copy is moved by its own perturbation, in the set of size γ and no smaller one: in 40
    /// dimensions nearly all of a ball is at its surface.
    #[test]
    fn copies_are_moved_by_perturbations_of_the_set() {
        let x = Array2::from_shape_fn((3, 40), |(i, k)| (i + k) as f64);
        let mut rng = ChaCha20Rng::seed_from_u64(5);
        let copies = noisy_copies(x.view(), &UncertaintySet::sphere(), 0.5, 4, &mut rng);
        assert_eq!(copies.dim(), (12, 40));
        for (i, copy) in copies.outer_iter().enumerate() {
            let length = distance(copy, x.row(i % 3));
            assert!((0.4..=0.5 + 1e-12).contains(&length), "{length}");
            for j in 0..i {
                let other = &copies.row(j) - &x.row(j % 3);
                let own = &copy - &x.row(i % 3);
                assert!(distance(own.view(), other.view()) > 0.1);
            }
        }
    }

    #[test]
    fn normal_noise_has_the_covariance_asked_for() {
        let sigma = array![[4.0, 1.0], [1.0, 0.5]];
        let set = UncertaintySet::from_covariance(Norm::Two, sigma.view()).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(6);
        let (x, draws) = (array![[3.0, -2.0]], 100_000);
        let noise = normal_copies(x.view(), &set, 0.5, draws, &mut rng) - &x;
        let mean = noise.mean_axis(Axis(0)).unwrap();
        assert!(mean.iter().all(|m| m.abs() < 0.02), "{mean}");
        let covariance = noise.t().dot(&noise) / draws as f64;
        let error = covariance - 0.25 * sigma;
        assert!(error.iter().all(|e| e.abs() < 0.02), "{error}");
        // A fourth moment of three squares tells normal noise from uniform.
        let kurtosis = noise.column(0).mapv(|v| v.powi(4)).mean().unwrap();
        assert!((kurtosis - 3.0).abs() < 0.15, "{kurtosis}");
    }
}
