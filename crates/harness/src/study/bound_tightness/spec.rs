//! The keys of a `bound-tightness` experiment.

use super::axis_spec::AxisSpec;
use crate::spec::Spanned;
use crate::spec::{AttackSpec, DataSpec, Example, Kind};
use robust_svm_bounds::MapKind;
use serde::Deserialize;
use std::fmt;

/// A whole file of the kind [`Kind::BoundTightness`].
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
    /// The most test rows whose features are moved.
    pub(super) points: Spanned<usize>,
    /// The attack's effort.
    #[serde(default)]
    pub(super) attack: AttackSpec,
    /// Datasets, splits and scaling.
    pub(super) data: DataSpec,
    /// The axes that all maps share.
    pub(super) axes: AxesSpec,
    /// The feature maps.
    pub(super) map: Spanned<Vec<Spanned<MapSpec>>>,
}

/// Section `[axes]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AxesSpec {
    /// Input features.
    pub(super) n: AxisSpec<Width>,
    /// σ in multiples of the median distance.
    pub(super) sigma: AxisSpec<f64>,
    /// γ, the size of the sets.
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
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MapSpec {
    /// Which map.
    pub(super) map: Spanned<MapName>,
    /// D, or m for Nyström.
    pub(super) size: AxisSpec<usize>,
    /// Names of bounds; every one that holds for the map where absent.
    pub(super) bounds: Option<Spanned<Vec<Spanned<String>>>>,
}

/// Key `map`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MapName {
    /// Paired random Fourier features.
    Rff,
    /// The same with orthogonal frequencies.
    OrthogonalRff,
    /// Phased random Fourier features.
    PhasedRff,
    /// Nyström features, landmarks drawn uniformly.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a whole number or \"all\"")]
pub enum Width {
    /// So many, or all where the data have fewer.
    Count(usize),
    /// All.
    All(AllName),
}

/// The word `all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
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
