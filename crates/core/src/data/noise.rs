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
