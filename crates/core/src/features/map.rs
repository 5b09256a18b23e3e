//! The interface of a feature map, and the registry of those there are.

use super::{Identity, Nystrom, Rff};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use std::sync::Arc;

/// A differentiable map `φ: R^n → R^D`, applied to the rows of a matrix.
pub trait FeatureMap {
    /// n, the width of the inputs.
    fn input_dim(&self) -> usize;

    /// D, the width of the features.
    fn dim(&self) -> usize;

    /// `φ(x_i)` for each row of `x` (p × n): p × D.
    ///
    /// # Panics
    /// If `x` is not n wide.
    fn transform(&self, x: ArrayView2<'_, f64>) -> Array2<f64>;

    /// `⟨ζ, φ(x_i)⟩` and its gradient `J_iᵀ ζ` by x for each row of `x` (p × n): p, and p × n.
    ///
    /// # Panics
    /// If `x` is not n wide or `zeta` not D long.
    fn value_and_gradient(
        &self,
        x: ArrayView2<'_, f64>,
        zeta: ArrayView1<'_, f64>,
    ) -> (Array1<f64>, Array2<f64>);

    /// `J_iᵀ v_i`, the adjoint of the Jacobian of φ at each row of `x` (p × n) applied to the same row of `v`
    /// (p × D): p × n.
    ///
    /// # Panics
    /// If `x` is not n wide, `v` not D wide, or they have different numbers of rows.
    fn pull_back(&self, x: ArrayView2<'_, f64>, v: ArrayView2<'_, f64>) -> Array2<f64>;
}

/// The feature maps there are. The larger ones are shared between the models that use them.
#[derive(Debug, Clone)]
pub enum Features {
    /// `φ(x) = x`.
    Identity(Identity),
    /// Random Fourier features.
    Rff(Arc<Rff>),
    /// Nyström features.
    Nystrom(Arc<Nystrom>),
}

impl Features {
    fn map(&self) -> &dyn FeatureMap {
        match self {
            Self::Identity(map) => map,
            Self::Rff(map) => map.as_ref(),
            Self::Nystrom(map) => map.as_ref(),
        }
    }
}

impl FeatureMap for Features {
    fn input_dim(&self) -> usize {
        self.map().input_dim()
    }

    fn dim(&self) -> usize {
        self.map().dim()
    }

    fn transform(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        self.map().transform(x)
    }

    fn value_and_gradient(
        &self,
        x: ArrayView2<'_, f64>,
        zeta: ArrayView1<'_, f64>,
    ) -> (Array1<f64>, Array2<f64>) {
        self.map().value_and_gradient(x, zeta)
    }

    fn pull_back(&self, x: ArrayView2<'_, f64>, v: ArrayView2<'_, f64>) -> Array2<f64> {
        self.map().pull_back(x, v)
    }
}
