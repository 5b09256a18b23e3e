//! The keys of a `safe-ellipsoid` experiment.

use crate::spec::Spanned;
use crate::spec::{DataSpec, Example, Kind};
use serde::Deserialize;

/// A whole file of the kind [`Kind::SafeEllipsoid`].
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
    /// Independent splits of each dataset.
    pub(super) repeats: Spanned<u32>,
    /// Levels of the noise: its standard deviation in each feature that it sits on.
    pub(super) levels: Spanned<Vec<Spanned<f64>>>,
    /// The noise.
    pub(super) noise: NoiseSpec,
    /// The grid of λ.
    pub(super) lambda: Spanned<Vec<Spanned<f64>>>,
    /// The grid of γ, the radius of the robust method's sphere.
    pub(super) gamma: Spanned<Vec<Spanned<f64>>>,
    /// The box of the safe method's scales.
    pub(super) scales: Spanned<ScalesSpec>,
    /// The most lower problems of a descent of the safe method.
    #[serde(default = "default_solves")]
    pub(super) max_solves: Spanned<usize>,
    /// Datasets, splits and scaling.
    pub(super) data: DataSpec,
}

fn default_solves() -> Spanned<usize> {
    Spanned::new(0..0, 500)
}

/// Key `noise`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NoiseSpec {
    /// Which features it sits on.
    pub(super) shape: NoiseShape,
    /// Noisy copies of each test row.
    pub(super) draws: Spanned<usize>,
}

/// Key `noise.shape`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoiseShape {
    /// On half of the features (rounded up), drawn for each repeat.
    Half,
    /// On all features.
    All,
}

/// Key `scales`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScalesSpec {
    /// s_min.
    pub(super) least: f64,
    /// s_max.
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
