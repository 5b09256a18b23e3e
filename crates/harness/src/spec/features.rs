//! Key `features` of a method.

use super::Spanned;
use serde::Deserialize;

/// Key `features`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeaturesSpec {
    /// Which map.
    pub map: Spanned<MapName>,
    /// Random features: D, even in the paired form; a list is part of the selection grid.
    pub dim: Option<Spanned<OneOrMany>>,
    /// Random features: their form; `paired` where absent.
    pub form: Option<Spanned<FormName>>,
    /// Random features: how the frequencies are drawn; `gaussian` where absent.
    pub frequencies: Option<Spanned<FrequenciesName>>,
    /// Nyström: number of landmarks m; a list is part of the selection grid.
    pub landmarks: Option<Spanned<OneOrMany>>,
    /// Nyström: how the landmarks are chosen; `uniform` where absent.
    pub choose: Option<Spanned<ChooseName>>,
}

/// Key `form`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormName {
    /// A cosine and a sine of each frequency.
    #[default]
    Paired,
    /// A cosine of each frequency, at a random phase.
    Phased,
}

/// Key `frequencies`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrequenciesName {
    /// Independent draws.
    #[default]
    Gaussian,
    /// Orthogonal in blocks [Yu et al., NeurIPS 2016].
    Orthogonal,
}

/// Key `choose`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChooseName {
    /// Training rows, each as likely.
    #[default]
    Uniform,
    /// The centres of k-means.
    KMeans,
    /// Training rows by their ridge leverage scores.
    Leverage,
}

/// Key `map`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
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
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a whole number or a list of whole numbers"
)]
pub enum OneOrMany {
    /// A number.
    One(usize),
    /// A list.
    Many(Vec<usize>),
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
