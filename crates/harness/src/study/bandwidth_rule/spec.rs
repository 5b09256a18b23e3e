//! The keys of a `bandwidth-rule` experiment.

use crate::spec::Spanned;
use crate::spec::constraint::{positive, probability};
use crate::spec::{Example, FrequenciesName, Kind};
use ndarray::Array1;
use robust_svm_core::CoreError;
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use schemars::JsonSchema;
use serde::Deserialize;

/// An experiment of the kind `bandwidth-rule`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "BandwidthRule")]
pub(crate) struct Spec {
    /// What is measured.
    #[serde(default, rename = "kind")]
    _kind: Kind,
    /// Names the results folder: letters, digits, `-` and `_`.
    #[schemars(regex(pattern = "^[A-Za-z0-9_-]+$"))]
    pub(super) name: Spanned<String>,
    /// Seed of every random stream.
    pub(super) seed: u64,
    /// Maps drawn for each n and each way to draw frequencies; the frequencies of a smaller D are the first of the
    /// largest, and all shapes share them.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub(super) draws: Spanned<u32>,
    /// γ, the size of the sets; the probabilities do not depend on it.
    #[schemars(transform = positive)]
    pub(super) gamma: Spanned<f64>,
    /// θ_max, the range that angles are to keep to, in radians; the probabilities do not depend on it.
    #[schemars(transform = positive)]
    pub(super) theta_max: Spanned<f64>,
    /// η, the probability that not all angles keep to it.
    #[schemars(transform = probability)]
    pub(super) failure: Spanned<f64>,
    /// Input dimensions.
    #[schemars(length(min = 1), inner(range(min = 1, max = 10_000)))]
    pub(super) n: Spanned<Vec<Spanned<usize>>>,
    /// D, even.
    #[schemars(length(min = 1), inner(range(min = 2, max = 1_000_000)))]
    pub(super) dim: Spanned<Vec<Spanned<usize>>>,
    /// Shapes of the sets.
    #[schemars(length(min = 1))]
    pub(super) shape: Spanned<Vec<Spanned<ShapeName>>>,
    /// How frequencies are drawn.
    #[schemars(length(min = 1))]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "BandwidthShape")]
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
