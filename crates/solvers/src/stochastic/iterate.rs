//! Weights and intercept, or a direction in them.

use ndarray::Array1;

/// A point (ζ, b).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Iterate {
    /// ζ (D).
    pub(crate) zeta: Array1<f64>,
    /// b.
    pub(crate) intercept: f64,
}

impl Iterate {
    pub(crate) fn zeros(dim: usize) -> Self {
        Self {
            zeta: Array1::zeros(dim),
            intercept: 0.0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.zeta.fill(0.0);
        self.intercept = 0.0;
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.intercept.is_finite() && self.zeta.iter().all(|ζ| ζ.is_finite())
    }
}
