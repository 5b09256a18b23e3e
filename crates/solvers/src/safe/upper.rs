//! The upper objective: the hinge loss of the validation rows.

use ndarray::{Array1, ArrayView1, ArrayView2, Axis};

/// F and its sub-gradient in (w, b); a loss that is exactly at its kink counts as none.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Upper {
    /// `F = Σ_j max{0, 1 − y_j(⟨w, x_j⟩ + b)}`.
    pub(super) value: f64,
    /// `−Σ y_j x_j` over the losses (n).
    pub(super) by_weights: Array1<f64>,
    /// `−Σ y_j` over the losses.
    pub(super) by_intercept: f64,
}

impl Upper {
    /// At weights `w` (n) and intercept `b`.
    pub(super) fn of(
        (x, y): (ArrayView2<'_, f64>, ArrayView1<'_, f64>),
        w: ArrayView1<'_, f64>,
        b: f64,
    ) -> Self {
        let decision = x.dot(&w);
        let mut upper = Self {
            value: 0.0,
            by_weights: Array1::zeros(w.len()),
            by_intercept: 0.0,
        };
        for ((f, &y), x) in decision.iter().zip(y).zip(x.axis_iter(Axis(0))) {
            let loss = 1.0 - y * (f + b);
            if loss > 0.0 {
                upper.value += loss;
                upper.by_weights.scaled_add(-y, &x);
                upper.by_intercept -= y;
            }
        }
        upper
    }
}
