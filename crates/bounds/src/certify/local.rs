//! The certificate that looks at each wave or kernel function of a model by itself, around each point.

use ndarray::{Array1, ArrayView1};

use super::arcs::Arcs;
use super::landmarks::Landmarks;

/// What a model is a sum of.
#[derive(Debug, Clone)]
pub(super) enum Local {
    /// Nothing to take apart: the norm certificate of linear models is exact. The weights w.
    Linear(Array1<f64>),
    /// Waves: random Fourier features.
    Arcs(Arcs),
    /// Kernel functions: Nyström features and exact kernels.
    Landmarks(Landmarks),
}

/// Where a point stands among the terms of a model.
#[derive(Debug, Clone)]
pub(super) struct Position {
    /// The phase in each wave (w), or the distance to each centre (m).
    pub(super) values: Array1<f64>,
    /// How far they may be from the true ones.
    pub(super) error: f64,
}

impl Local {
    /// The position of `x` (n) with label `y`.
    pub(super) fn position(&self, x: ArrayView1<'_, f64>, y: f64) -> Position {
        match self {
            Self::Linear(_) => Position {
                values: Array1::zeros(0),
                error: 0.0,
            },
            Self::Arcs(arcs) => arcs.position(x, y),
            Self::Landmarks(landmarks) => landmarks.position(x),
        }
    }

    /// How far a computed `f(x) − b` may be from the true one, beyond the reserve of every verdict.
    pub(super) fn evaluation_error(&self, x: ArrayView1<'_, f64>) -> f64 {
        match self {
            Self::Linear(w) => {
                let sizes = w.iter().zip(x).map(|(w, x)| (w * x).abs());
                x.len() as f64 * f64::EPSILON * sizes.sum::<f64>()
            }
            Self::Arcs(arcs) => arcs.evaluation_error(x),
            Self::Landmarks(landmarks) => landmarks.evaluation_error(),
        }
    }
}
