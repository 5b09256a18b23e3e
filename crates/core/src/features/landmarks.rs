//! Which training rows become Nyström landmarks.

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
    if m == 0 || m > x.nrows() {
        let expected = format!("between 1 and the {} training rows", x.nrows());
        return Err(CoreError::parameter("landmarks", expected, m));
    }
    let mut rows = rand::seq::index::sample(rng, x.nrows(), m).into_vec();
    rows.sort_unstable();
    Ok(x.select(Axis(0), &rows))
}
