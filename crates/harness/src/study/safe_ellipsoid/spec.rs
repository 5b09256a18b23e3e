//! The keys of a `safe-ellipsoid` experiment.

use crate::spec::Spanned;
use crate::spec::constraint::{not_negative, positive};
use crate::spec::{DataSpec, Example, Kind};
use schemars::JsonSchema;
use serde::Deserialize;

/// An experiment of the kind `safe-ellipsoid`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SafeEllipsoid")]
pub(crate) struct Spec {
    /// What is measured.
    #[serde(default, rename = "kind")]
    _kind: Kind,
    /// Names the results folder: letters, digits, `-` and `_`.
    #[schemars(regex(pattern = "^[A-Za-z0-9_-]+$"))]
    pub(super) name: Spanned<String>,
    /// Seed of every random stream.
    pub(super) seed: u64,
    /// Independent splits of each dataset.
    #[schemars(range(min = 1, max = 100_000))]
    pub(super) repeats: Spanned<u32>,
    /// Standard deviations of the noise in each feature that it sits on, ≥ 0, in units of the scaled features.
    #[schemars(transform = not_negative)]
    pub(super) levels: Spanned<Vec<Spanned<f64>>>,
    /// The noise.
    pub(super) noise: NoiseSpec,
    /// The grid of λ, for every method.
    #[schemars(transform = positive)]
    pub(super) lambda: Spanned<Vec<Spanned<f64>>>,
    /// The grid of γ > 0, the radius of the robust method's sphere.
    #[schemars(transform = positive)]
    pub(super) gamma: Spanned<Vec<Spanned<f64>>>,
    /// The box of the safe method's scales, 0 < least < most.
    pub(super) scales: Spanned<ScalesSpec>,
    /// The most lower problems of a descent of the safe method, but for its last line search.
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(default = "default_solves")]
    pub(super) max_solves: Spanned<usize>,
    /// Datasets, splits and scaling.
    pub(super) data: DataSpec,
}

fn default_solves() -> Spanned<usize> {
    Spanned::new(0..0, 500)
}

/// Key `noise`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoiseSpec {
    /// Which features it sits on.
    pub(super) shape: NoiseShape,
    /// Noisy copies of each test row.
    #[schemars(range(min = 1, max = 10_000))]
    pub(super) draws: Spanned<usize>,
}

/// Key `noise.shape`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoiseShape {
    /// On half of the features (rounded up), drawn for each repeat.
    Half,
    /// On all features.
    All,
}

/// Key `scales`.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ScalesSpec {
    /// The least scale.
    #[schemars(transform = positive)]
    pub(super) least: f64,
    /// The largest scale.
    #[schemars(transform = positive)]
    pub(super) most: f64,
}

/// What keys that are missing may look like.
pub(super) const EXAMPLES: &[Example] = &[
    ("name", "name = \"safe-svm\""),
    ("levels", "levels = [0.0, 0.5, 1.0]"),
    ("noise", "noise = { shape = \"half\", draws = 20 }"),
    ("shape", "shape = \"half\""),
    ("draws", "draws = 20"),
    ("lambda", "lambda = [0.1, 1.0, 10.0]"),
    ("gamma", "gamma = [0.03, 0.1, 0.3]"),
    ("scales", "scales = { least = 0.01, most = 2.0 }"),
    ("least", "least = 0.01"),
    ("most", "most = 2.0"),
];
