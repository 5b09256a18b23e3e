//! The keys of a `bound-tightness` experiment.

use crate::spec::Spanned;
use crate::spec::{AttackSpec, DataSpec, Example, Kind};
use crate::study::axis_spec::AxisSpec;
use robust_svm_bounds::MapKind;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt;

/// An experiment of the kind `bound-tightness`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "BoundTightness")]
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
    /// The most test rows whose features are moved, sampled with the seed, class shares kept; it stands for
    /// `max_rows.test`.
    #[schemars(range(min = 1, max = 100_000))]
    pub(super) points: Spanned<usize>,
    /// The effort of the movement attack.
    #[serde(default)]
    pub(super) attack: AttackSpec,
    /// Datasets, splits and scaling; the validation part is not used.
    pub(super) data: DataSpec,
    /// The axes that all maps share.
    pub(super) axes: AxesSpec,
    /// The feature maps, each once.
    #[schemars(length(min = 1))]
    pub(super) map: Spanned<Vec<Spanned<MapSpec>>>,
}

/// Section `[axes]`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AxesSpec {
    /// Numbers of input features, or `"all"`; n of them are drawn with the seed, smaller ones among the larger; all where
    /// the data have fewer.
    pub(super) n: AxisSpec<Width>,
    /// σ in multiples of the median distance between training rows in all N features, times √(n/N) where n are used: in
    /// few features more than half of the rows may be equal.
    pub(super) sigma: AxisSpec<f64>,
    /// γ > 0, the size of the sets, in units of the scaled features.
    pub(super) gamma: AxisSpec<f64>,
}

/// What keys that are missing may look like.
pub(super) const EXAMPLES: &[Example] = &[
    ("name", "name = \"bound-tightness\""),
    ("points", "points = 20"),
    ("steps", "steps = 40"),
    ("restarts", "restarts = 5"),
    ("axes", "a section [axes] with n, sigma and gamma"),
    ("n", "n = { base = \"all\", vary = [2, 5, 10] }"),
    ("sigma", "sigma = { base = 1.0, vary = [0.5, 2.0] }"),
    ("gamma", "gamma = { base = 0.3, vary = [0.1, 1.0] }"),
    ("base", "{ base = 1, vary = [2, 5] }"),
    ("map", "a section [[map]] with map = \"rff\" and size"),
    ("size", "size = { base = 512, vary = [128, 2048] }"),
];

/// A section `[[map]]`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MapSpec {
    /// Which map.
    pub(super) map: Spanned<MapName>,
    /// D, even in the paired form, or m for Nyström, at most the training rows.
    pub(super) size: AxisSpec<usize>,
    /// Names of bounds; every one that holds for the map where absent.
    #[schemars(length(min = 1))]
    pub(super) bounds: Option<Spanned<Vec<Spanned<String>>>>,
}

/// Key `map`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "TightnessMap")]
pub enum MapName {
    /// Paired random Fourier features.
    Rff,
    /// The same with orthogonal frequencies.
    OrthogonalRff,
    /// Phased random Fourier features.
    PhasedRff,
    /// Nyström features, uniform landmarks.
    Nystrom,
}

impl MapName {
    /// The name in the file and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rff => "rff",
            Self::OrthogonalRff => "orthogonal-rff",
            Self::PhasedRff => "phased-rff",
            Self::Nystrom => "nystrom",
        }
    }

    /// The kind of map that bounds are made for.
    pub(super) fn kind(self) -> MapKind {
        match self {
            Self::Rff | Self::OrthogonalRff | Self::PhasedRff => MapKind::Rff,
            Self::Nystrom => MapKind::Nystrom,
        }
    }
}

/// How many input features: a number of them, drawn with the seed, or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a whole number or \"all\"")]
pub enum Width {
    /// So many, or all where the data have fewer.
    Count(usize),
    /// All.
    All(AllName),
}

/// The word `all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AllName {
    /// Every feature.
    All,
}

impl Width {
    /// How many of `features`.
    pub fn of(self, features: usize) -> usize {
        match self {
            Self::Count(count) => count.min(features),
            Self::All(_) => features,
        }
    }

    /// The number in results; `None` for all.
    pub fn count(self) -> Option<usize> {
        match self {
            Self::Count(count) => Some(count),
            Self::All(_) => None,
        }
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => count.fmt(f),
            Self::All(_) => f.write_str("all"),
        }
    }
}
