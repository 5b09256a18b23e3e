//! Weights and intercept, or a direction in them.

use ndarray::Array1;

/// A point (ζ, b).
pub(super) struct Iterate {
    /// ζ (D).
    pub(super) zeta: Array1<f64>,
    /// b.
    pub(super) intercept: f64,
}

impl Iterate {
    pub(super) fn zeros(dim: usize) -> Self {
        Self {
            zeta: Array1::zeros(dim),
            intercept: 0.0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.zeta.fill(0.0);
        self.intercept = 0.0;
    }

    pub(super) fn is_finite(&self) -> bool {
        self.intercept.is_finite() && self.zeta.iter().all(|ζ| ζ.is_finite())
    }
}
