//! Key `features` of a method.

use super::Spanned;
use schemars::JsonSchema;
use serde::Deserialize;

/// Key `features`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FeaturesSpec {
    /// Which map.
    pub map: Spanned<MapName>,
    /// Random features: D, even in the paired form, at most 1,000,000; a list is part of the selection grid, unless
    /// the method's name has the placeholder `{dim}`.
    pub dim: Option<Spanned<OneOrMany>>,
    /// Random features: their form.
    #[schemars(extend("default" = "paired"))]
    pub form: Option<Spanned<FormName>>,
    /// Random features: how the frequencies are drawn.
    #[schemars(extend("default" = "gaussian"))]
    pub frequencies: Option<Spanned<FrequenciesName>>,
    /// Nyström: number of landmarks m, at most 1,000,000; a list is part of the selection grid, unless the method's
    /// name has the placeholder `{landmarks}`.
    pub landmarks: Option<Spanned<OneOrMany>>,
    /// Nyström: how the landmarks are chosen.
    #[schemars(extend("default" = "uniform"))]
    pub choose: Option<Spanned<ChooseName>>,
}

/// Key `form`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FormName {
    /// A cosine and a sine of each frequency.
    #[default]
    Paired,
    /// A cosine of each frequency, at a random phase; not with `paper` or structured frequencies.
    Phased,
}

/// Key `frequencies`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FrequenciesName {
    /// Independent draws.
    #[default]
    Gaussian,
    /// Orthogonal in blocks (Yu et al., NeurIPS 2016).
    Orthogonal,
    /// Orthogonal in blocks of Hadamard matrices and random signs (§4 there): O(D log n) a point, for many inputs.
    Structured,
}

impl FrequenciesName {
    /// The name in the file and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gaussian => "gaussian",
            Self::Orthogonal => "orthogonal",
            Self::Structured => "structured",
        }
    }
}

/// Key `choose`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChooseName {
    /// Training rows, each as likely.
    #[default]
    Uniform,
    /// The centres of k-means clusters.
    KMeans,
    /// Training rows drawn by their ridge leverage scores `(K (K + I)⁻¹)_ii`, ridge 1; at most 4,000 training rows.
    Leverage,
}

/// Key `map`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MapName {
    /// φ(x) = x: linear models.
    Identity,
    /// Random Fourier features.
    Rff,
    /// Nyström features.
    Nystrom,
    /// No explicit features: the exact Gaussian kernel.
    ExactKernel,
}

/// A number or a list of numbers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a whole number or a list of whole numbers"
)]
pub enum OneOrMany {
    /// A number.
    One(#[schemars(range(min = 1, max = 1_000_000))] usize),
    /// A list.
    Many(#[schemars(length(min = 1), inner(range(min = 1, max = 1_000_000)))] Vec<usize>),
}

impl OneOrMany {
    /// The numbers.
    pub fn as_slice(&self) -> &[usize] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Many(values) => values,
        }
    }
}
