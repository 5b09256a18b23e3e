//! The keys of a `bandwidth-rule` experiment.

use crate::spec::Spanned;
use crate::spec::{Example, FrequenciesName, Kind};
use ndarray::Array1;
use robust_svm_core::CoreError;
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use serde::Deserialize;

/// A whole file of the kind [`Kind::BandwidthRule`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spec {
    /// What is measured: known by now.
    #[serde(default, rename = "kind")]
    _kind: Kind,
    /// Names the results folder.
    pub(super) name: Spanned<String>,
    /// Seed of every random stream.
    pub(super) seed: u64,
    /// Maps drawn.
    pub(super) draws: Spanned<u32>,
    /// γ, the size of the sets.
    pub(super) gamma: Spanned<f64>,
    /// The range that angles are to keep to, in radians.
    pub(super) theta_max: Spanned<f64>,
    /// η, the probability that not all angles keep to it.
    pub(super) failure: Spanned<f64>,
    /// Input dimensions.
    pub(super) n: Spanned<Vec<Spanned<usize>>>,
    /// D, even.
    pub(super) dim: Spanned<Vec<Spanned<usize>>>,
    /// Shapes of the sets.
    pub(super) shape: Spanned<Vec<Spanned<ShapeName>>>,
    /// How frequencies are drawn.
    pub(super) frequencies: Spanned<Vec<Spanned<FrequenciesName>>>,
}

/// What keys that are missing may look like.
pub(super) const EXAMPLES: &[Example] = &[
    ("name", "name = \"bandwidth-rule\""),
    ("draws", "draws = 10000"),
    ("gamma", "gamma = 0.3"),
    ("theta_max", "theta_max = 1.0"),
    ("failure", "failure = 0.05"),
    ("n", "n = [1, 2, 5]"),
    ("dim", "dim = [64, 256]"),
    ("shape", "shape = [\"sphere\"]"),
    ("frequencies", "frequencies = [\"gaussian\"]"),
];

/// Key `shape`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeName {
    /// Σ = I.
    Sphere,
    /// `Σ^{1/2} = diag(1, 1/2, …, 1/n)`.
    Falling,
}

impl ShapeName {
    /// The name in the file and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Falling => "falling",
        }
    }

    /// The set of this shape in `R^n`, p = 2.
    pub(super) fn set(self, n: usize) -> Result<UncertaintySet, CoreError> {
        let factor = match self {
            Self::Sphere => Factor::Identity,
            Self::Falling => {
                let scales: Array1<f64> = (1..=n).map(|k| 1.0 / k as f64).collect();
                Factor::Diagonal(scales)
            }
        };
        UncertaintySet::new(Norm::Two, factor)
    }
}

/// The name of a way to draw frequencies, in the file and in results.
pub(super) fn frequencies_name(frequencies: FrequenciesName) -> &'static str {
    match frequencies {
        FrequenciesName::Gaussian => "gaussian",
        FrequenciesName::Orthogonal => "orthogonal",
    }
}
