//! The entries of a model file. They are the file's own, so that the types of the core may change without it.

use super::Classes;
use serde::{Deserialize, Serialize};

/// What `format` says.
pub(super) const FORMAT: &str = "robust-svm-model";
/// The version written; it changes when a reader of the last one would misread a file.
pub(super) const VERSION: u32 = 1;

/// What is read first: whether the rest is known.
#[derive(Debug, Deserialize)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) version: u32,
}

/// A whole file. Matrices are lists of rows.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelFile {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) columns: Vec<String>,
    pub(super) label: String,
    pub(super) missing: MissingEntry,
    pub(super) classes: Classes,
    pub(super) scaling: ScalingEntry,
    pub(super) uncertainty: UncertaintyEntry,
    pub(super) training: TrainingEntry,
    pub(super) intercept: f64,
    pub(super) features: FeaturesEntry,
    /// ζ, or β of the exact kernel.
    pub(super) weights: Vec<f64>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MissingEntry {
    Drop,
    Median,
    Error,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScalingEntry {
    pub(super) rule: ScalingRule,
    /// Positions in `columns`, from 0, of those that are not constant.
    pub(super) kept: Vec<usize>,
    pub(super) medians: Vec<f64>,
    pub(super) offsets: Vec<f64>,
    pub(super) divisors: Vec<f64>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ScalingRule {
    Standardize,
    MinMax,
    None,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UncertaintyEntry {
    pub(super) norm: NormEntry,
    /// Σ^{1/2} on the columns kept.
    pub(super) shape: ShapeEntry,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) enum NormEntry {
    #[serde(rename = "1")]
    One,
    #[serde(rename = "2")]
    Two,
    #[serde(rename = "infinity")]
    Infinity,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ShapeEntry {
    Identity,
    Diagonal(Vec<f64>),
    Full(Vec<Vec<f64>>),
}

/// See [`super::Training`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrainingEntry {
    pub(super) program: String,
    pub(super) data_sha256: String,
    pub(super) seed: u64,
    pub(super) rows: usize,
    pub(super) validation_rows: usize,
    pub(super) solver: String,
    pub(super) bound: Option<String>,
    pub(super) gamma: f64,
    pub(super) lambda: f64,
    pub(super) relative_gap: f64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "map", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum FeaturesEntry {
    Identity,
    Rff {
        sigma: f64,
        /// ν of the phased form.
        phases: Option<Vec<f64>>,
        frequencies: Vec<Vec<f64>>,
    },
    Nystrom {
        sigma: f64,
        /// Of features by eigenvectors; those of a Cholesky factor have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        eigenvalues: Option<Vec<f64>>,
        landmarks: Vec<Vec<f64>>,
        projection: Vec<Vec<f64>>,
    },
    ExactKernel {
        sigma: f64,
        support_points: Vec<Vec<f64>>,
        /// Of uncertain support points.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        variances: Option<Vec<f64>>,
    },
}
