//! The certificate that looks at each wave or kernel function of a model by itself, around each point.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

use super::arcs::Arcs;
use super::landmarks::Landmarks;

/// What a model is a sum of.
#[derive(Debug, Clone)]
pub(super) enum Local {
    /// Nothing to take apart: the norm certificate of linear models is exact.
    Linear,
    /// Waves: random Fourier features.
    Arcs(Arcs),
    /// Kernel functions: Nyström features and exact kernels.
    Landmarks(Landmarks),
}

/// Where points stand among the terms of a model.
#[derive(Debug, Clone)]
pub(super) struct Positions {
    /// The phase in each wave (p × w), or the distance to each centre (p × m).
    pub(super) values: Array2<f64>,
    /// How far a point's values may be from the true ones (p).
    pub(super) errors: Array1<f64>,
}

impl Local {
    /// The positions of the rows of `x` (p × n) with labels `y` (p).
    pub(super) fn positions(&self, x: ArrayView2<'_, f64>, y: ArrayView1<'_, f64>) -> Positions {
        match self {
            Self::Linear => Positions {
                values: Array2::zeros((x.nrows(), 0)),
                errors: Array1::zeros(x.nrows()),
            },
            Self::Arcs(arcs) => arcs.positions(x, y),
            Self::Landmarks(landmarks) => landmarks.positions(x),
        }
    }

    /// How far a computed `f(x)` may be from the true one, beyond the reserve of every verdict.
    pub(super) fn evaluation_error(&self) -> f64 {
        match self {
            Self::Linear | Self::Arcs(_) => 0.0,
            Self::Landmarks(landmarks) => landmarks.evaluation_error(),
        }
    }
}
