//! The kinds of model that are not linear.

use super::{Cell, Kernels, Minorant, Waves};
use ndarray::{ArrayView1, ArrayView2};

/// `h(u) = y f(x + Gu)` around one point, G the factor of its set turned by a frame.
#[derive(Debug, Clone)]
pub(in crate::certify) enum Around {
    /// Random Fourier features.
    Waves(Waves),
    /// Nyström features and exact kernels.
    Kernels(Kernels),
}

impl Around {
    /// `h(u)`.
    pub(in crate::certify) fn value(&self, u: ArrayView1<'_, f64>) -> f64 {
        match self {
            Self::Waves(waves) => waves.value(u),
            Self::Kernels(kernels) => kernels.value(u),
        }
    }

    /// A quadratic below h on `cell`.
    pub(in crate::certify) fn minorant(&self, cell: &Cell) -> Minorant {
        match self {
            Self::Waves(waves) => waves.minorant(cell),
            Self::Kernels(kernels) => kernels.minorant(cell),
        }
    }

    /// The same in the coordinates `Qᵀu`, for an orthogonal `frame` Q (n × n).
    pub(in crate::certify) fn turned(self, frame: ArrayView2<'_, f64>) -> Self {
        match self {
            Self::Waves(waves) => Self::Waves(Waves {
                frequencies: waves.frequencies.dot(&frame),
                ..waves
            }),
            Self::Kernels(kernels) => Self::Kernels(Kernels {
                offsets: kernels.offsets.dot(&frame),
                gram: frame.t().dot(&kernels.gram.dot(&frame)),
                ..kernels
            }),
        }
    }
}
