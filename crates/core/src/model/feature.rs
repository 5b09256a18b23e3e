//! Models linear in explicit features.

use super::DecisionFunction;
use crate::features::{FeatureMap, Features};
use ndarray::{Array1, Array2, ArrayView2};

/// `f(x) = ⟨ζ, φ(x)⟩ + b`.
#[derive(Debug, Clone)]
pub struct FeatureModel {
    /// The map φ.
    pub features: Features,
    /// The weights ζ, of length D.
    pub zeta: Array1<f64>,
    /// The intercept b.
    pub intercept: f64,
}

impl DecisionFunction for FeatureModel {
    fn decision(&self, x: ArrayView2<'_, f64>) -> Array1<f64> {
        self.features.value(x, self.zeta.view()) + self.intercept
    }

    fn decision_and_gradient(&self, x: ArrayView2<'_, f64>) -> (Array1<f64>, Array2<f64>) {
        let (values, gradient) = self.features.value_and_gradient(x, self.zeta.view());
        (values + self.intercept, gradient)
    }
}
