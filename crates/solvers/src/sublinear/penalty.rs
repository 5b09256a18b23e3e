//! What a solver asks of a penalty.

use crate::SolverError;
use ndarray::{Array1, Array2, ArrayView1};

/// A convex, positively homogeneous `h_i(ζ) ≥ 0` for each of L samples, all of them at once.
///
/// Such an `h_i` is the support function `max { ⟨z, ζ⟩ : z ∈ ∂h_i(0) }` of the convex set `∂h_i(0)`, which
/// contains 0 and every sub-gradient at every ζ. Lower bounds on the optimal value rest on this, so an
/// implementation must return true sub-gradients.
pub trait SublinearPenalty {
    /// That the penalty is for `samples` samples and weights of length `dim`, and is finite.
    ///
    /// # Errors
    /// [`SolverError::Shape`], [`SolverError::Radius`] or [`SolverError::NotFinite`], as named.
    fn check(&self, samples: usize, dim: usize) -> Result<(), SolverError>;

    /// `h_i(ζ)` of each of the `samples` samples (L).
    ///
    /// # Panics
    /// If the penalty is for another L or D: see [`SublinearPenalty::check`].
    fn values(&self, zeta: ArrayView1<'_, f64>, samples: usize) -> Array1<f64>;

    /// A sub-gradient `z_i` of each `h_i` at ζ (L × D), with `⟨z_i, ζ⟩ = h_i(ζ)`; 0 where `h_i(ζ) = 0`.
    ///
    /// # Panics
    /// As [`SublinearPenalty::values`].
    fn subgradients(&self, zeta: ArrayView1<'_, f64>, samples: usize) -> Array2<f64>;
}
