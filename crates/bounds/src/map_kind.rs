//! The kinds of feature map.

use robust_svm_core::features::Features;
use std::fmt;

/// The kinds of feature map that bounds are made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapKind {
    /// Linear models.
    Identity,
    /// Random Fourier features, paired and phased.
    Rff,
    /// Nyström features.
    Nystrom,
}

impl MapKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Identity, Self::Rff, Self::Nystrom];

    /// The kind of `features`.
    pub fn of(features: &Features) -> Self {
        match features {
            Features::Identity(_) => Self::Identity,
            Features::Rff(_) => Self::Rff,
            Features::Nystrom(_) => Self::Nystrom,
        }
    }
}

impl fmt::Display for MapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Identity => "linear models",
            Self::Rff => "random Fourier features",
            Self::Nystrom => "Nyström features",
        })
    }
}
