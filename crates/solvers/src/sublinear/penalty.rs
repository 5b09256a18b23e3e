//! What a solver asks of a penalty.

use crate::SolverError;
use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut1};
use robust_svm_core::uncertainty::Norm;

/// `h(ζ) = ‖Mζ‖_q`.
#[derive(Debug, Clone, PartialEq)]
pub struct NormForm {
    /// M (k × D), the size of the penalty in it.
    pub matrix: Array2<f64>,
    /// q.
    pub norm: Norm,
}

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

    /// `h_i(ζ)` of each i of `rows` into `out`, for methods that see few samples at a time.
    ///
    /// By [`SublinearPenalty::values`] of all samples unless the penalty knows better.
    ///
    /// # Panics
    /// As [`SublinearPenalty::values`], or if `rows` and `out` differ in length or a row is not below `samples`.
    fn values_of(
        &self,
        rows: &[usize],
        zeta: ArrayView1<'_, f64>,
        samples: usize,
        out: &mut [f64],
    ) {
        assert_eq!(rows.len(), out.len(), "one value a row");
        let values = self.values(zeta, samples);
        for (out, &row) in out.iter_mut().zip(rows) {
            *out = values[row];
        }
    }

    /// `out += Σ_k weights_k z_i` over the i of `rows`, `z_i` the sub-gradients of
    /// [`SublinearPenalty::subgradients`] at ζ, by which it is made unless the penalty knows better.
    ///
    /// # Panics
    /// As [`SublinearPenalty::values_of`], or if `out` is not D long.
    fn add_subgradients_of(
        &self,
        rows: &[usize],
        weights: &[f64],
        zeta: ArrayView1<'_, f64>,
        samples: usize,
        mut out: ArrayViewMut1<'_, f64>,
    ) {
        assert_eq!(rows.len(), weights.len(), "one weight a row");
        let z = self.subgradients(zeta, samples);
        for (&row, &weight) in rows.iter().zip(weights) {
            out.scaled_add(weight, &z.row(row));
        }
    }

    /// `h_i` of `sample` written as a norm of D weights, where it is one: for solvers that take cones.
    fn norm_form(&self, sample: usize, dim: usize) -> Option<NormForm> {
        let _ = (sample, dim);
        None
    }
}
