//! What a search makes small.

use ndarray::{Array1, Array2, ArrayView2};

/// A function of the input around each point.
pub(super) trait Objective {
    /// Searches of a point end at values ≤ this.
    const FLOOR: f64;

    /// Whether the gradient at the point itself says where to go: then two starts are made of it, and the
    /// other ones are drawn; else all are drawn.
    const GUIDED: bool;

    /// How many of `steps` go to the worst case of the function linearised, before projected steps.
    fn linearised_steps(steps: usize) -> usize;

    /// The value at each row of `inputs` (rows × n), `points[k]` being the point that the row k is around, and
    /// its gradient by the input (rows × n).
    fn evaluate(&self, points: &[usize], inputs: ArrayView2<'_, f64>)
    -> (Array1<f64>, Array2<f64>);
}
