//! What trains: every solver of the crate `robust-svm-solvers` for two classes, on the maps that it takes.

use crate::spec::MapName;
use schemars::JsonSchema;
use serde::Deserialize;

/// Key `solver` of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Trainer")]
pub enum TrainerName {
    /// Interior-point method on features in memory.
    InteriorPoint,
    /// Dual coordinate descent on features in memory; its intercept is penalised.
    DualCoordinate,
    /// Cutting planes on features in memory.
    Bundle,
    /// Proximal stochastic gradients on features in memory, one sample a step.
    Stochastic,
    /// Interior-point method on the local bound, features in memory; robust.
    Local,
    /// The safe SVM on linear features: the robust problems of its descents; validated on as many rows more.
    Safe,
    /// linfa-svm's sequential minimal optimisation, exact kernel, to its own default accuracy.
    LinfaSvm,
    /// Sequential minimal optimisation on the kernel matrix.
    Smo,
    /// Interior-point method on the eigenvectors of the kernel matrix.
    KernelPrimal,
    /// Kernel ridge, by one Cholesky factor.
    KernelRidge,
    /// The support measure machine of normally distributed inputs, standard deviation `gamma`: by `smo` on the exact kernel, by
    /// `interior-point` on mean random Fourier features.
    Smm,
    /// Proximal stochastic gradients in mini-batches of rows drawn block by block; features are made on the way.
    Stream,
    /// Interior-point method on rows drawn block by block; features are made anew in every pass.
    StreamInteriorPoint,
}

/// Whether a solver guards against uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// It cannot.
    Never,
    /// If asked.
    Maybe,
    /// It always does.
    Always,
}

impl TrainerName {
    /// Every solver.
    pub const ALL: [Self; 13] = [
        Self::InteriorPoint,
        Self::DualCoordinate,
        Self::Bundle,
        Self::Stochastic,
        Self::Local,
        Self::Safe,
        Self::LinfaSvm,
        Self::Smo,
        Self::KernelPrimal,
        Self::KernelRidge,
        Self::Smm,
        Self::Stream,
        Self::StreamInteriorPoint,
    ];

    /// The name in the file and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::InteriorPoint => "interior-point",
            Self::DualCoordinate => "dual-coordinate",
            Self::Bundle => "bundle",
            Self::Stochastic => "stochastic",
            Self::Local => "local",
            Self::Safe => "safe",
            Self::LinfaSvm => "linfa-svm",
            Self::Smo => "smo",
            Self::KernelPrimal => "kernel-primal",
            Self::KernelRidge => "kernel-ridge",
            Self::Smm => "smm",
            Self::Stream => "stream",
            Self::StreamInteriorPoint => "stream-interior-point",
        }
    }

    /// The maps that it takes.
    pub(super) fn maps(self) -> &'static [MapName] {
        match self {
            Self::InteriorPoint
            | Self::DualCoordinate
            | Self::Bundle
            | Self::Stochastic
            | Self::Stream
            | Self::StreamInteriorPoint => &[MapName::Identity, MapName::Rff, MapName::Nystrom],
            Self::Local => &[MapName::Rff, MapName::Nystrom],
            Self::Safe => &[MapName::Identity],
            Self::LinfaSvm | Self::Smo | Self::KernelPrimal | Self::KernelRidge => {
                &[MapName::ExactKernel]
            }
            Self::Smm => &[MapName::Rff, MapName::ExactKernel],
        }
    }

    /// Whether it guards against uncertainty.
    pub(super) fn guard(self) -> Guard {
        match self {
            Self::InteriorPoint
            | Self::DualCoordinate
            | Self::Bundle
            | Self::Stochastic
            | Self::Stream
            | Self::StreamInteriorPoint => Guard::Maybe,
            Self::Local | Self::Safe => Guard::Always,
            Self::LinfaSvm | Self::Smo | Self::KernelPrimal | Self::KernelRidge | Self::Smm => {
                Guard::Never
            }
        }
    }

    /// Whether rows come block by block, and Φ is never in memory.
    pub(super) fn is_streamed(self) -> bool {
        matches!(self, Self::Stream | Self::StreamInteriorPoint)
    }

    /// Whether its work is a number of epochs; others work until the gap is within the tolerance, if they have one.
    pub(super) fn counts_epochs(self) -> bool {
        matches!(self, Self::Stochastic | Self::Stream)
    }

    /// The most that the gap of a result may be, for this tolerance: a solver that stops by a gap has not done its work
    /// above it.
    pub(super) fn gap_limit(self, tolerance: f64) -> Option<f64> {
        let by_gap = !self.counts_epochs() && self != Self::LinfaSvm;
        by_gap.then_some(tolerance)
    }
}
