//! The keys of a `classifiers` experiment.

use super::spec_data::DataSpec;
use super::spec_method::MethodSpec;
use super::spec_noise::NoiseSpec;
use crate::spec::{Example, Kind, Spanned};
use schemars::JsonSchema;
use serde::Deserialize;

/// An experiment of the kind `classifiers`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Classifiers")]
pub(crate) struct Spec {
    /// What is measured.
    #[serde(default, rename = "kind")]
    _kind: Kind,
    /// Names the results folder: letters, digits, `-` and `_`.
    #[schemars(regex(pattern = "^[A-Za-z0-9_-]+$"))]
    pub(super) name: Spanned<String>,
    /// Seed of every random stream.
    pub(super) seed: u64,
    /// Independent splits of each dataset; of folds rounds of cross-validation. Fixed rows are split once.
    #[schemars(range(min = 1, max = 100_000))]
    pub(super) repeats: Spanned<u32>,
    /// Published figures to compare with, by the names of datasets and methods.
    pub(super) published: Option<PublishedName>,
    /// Datasets, their parts and scaling.
    pub(super) data: DataSpec,
    /// What is done to test rows; nothing where absent.
    pub(super) noise: Option<NoiseSpec>,
    /// The methods compared.
    #[schemars(length(min = 1))]
    pub(super) method: Spanned<Vec<Spanned<MethodSpec>>>,
}

/// Key `published`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PublishedName {
    /// Table I of Laakom et al. on graph embedding of distributions (NGEU).
    NgeuTable1,
    /// Its table II, with additive noise.
    NgeuTable2,
}

/// What keys that are missing may look like.
pub(super) const EXAMPLES: &[Example] = &[
    ("name", "name = \"average-vs-worst\""),
    ("method", "a section [[method]] with name and classifier"),
    ("classifier", "classifier = \"k-nn\""),
    ("graph", "graph = \"lda\""),
    ("form", "form = \"ngeu\""),
    ("kinds", "kinds = [\"uniform\", \"worst-case\"]"),
    ("levels", "levels = [0.5, 1.0]"),
    (
        "train",
        "train = \"0..6000\" in rows, train = 55 in per_class",
    ),
    ("count", "count = 3"),
    ("snr_db", "snr_db = 9.5"),
];
