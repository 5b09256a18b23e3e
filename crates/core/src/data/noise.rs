//! Random noise on test points.

use crate::uncertainty::UncertaintySet;
use ndarray::{Array2, ArrayView2, Axis, concatenate};
use rand::Rng;

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
    let mut copies = concatenate(Axis(0), &vec![x; draws]).expect("copies are equally wide");
    for mut row in copies.outer_iter_mut() {
        row += &set.sample(gamma, x.ncols(), rng);
    }
    copies
}

#[cfg(test)]
mod tests {
    use super::noisy_copies;
    use crate::kernel::distance;
    use crate::uncertainty::UncertaintySet;
    use ndarray::Array2;
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
}
