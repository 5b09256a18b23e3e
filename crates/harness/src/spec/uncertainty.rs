//! Section `[uncertainty]`: the norm, shape and sizes of the sets.

use super::Spanned;
use robust_svm_bounds::chance::Noise;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// Section `[uncertainty]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UncertaintySpec {
    /// The norm p of the sets; ∞ of a box and 2 of other shapes where absent.
    pub norm: Option<Spanned<NormName>>,
    /// The shape Σ of the sets; `sphere` where absent.
    pub shape: Option<Spanned<Shape>>,
    /// Σ^{1/2}'s diagonal for `shape = "diagonal"` and `"box"`, one entry a feature of the data.
    pub scales: Option<Spanned<Vec<f64>>>,
    /// Where Σ of `shape = "full"` comes from.
    pub covariance: Option<Spanned<CovarianceName>>,
    /// Σ of `shape = "full"`, row by row, one a feature of the data.
    pub matrix: Option<Spanned<Vec<Vec<f64>>>>,
    /// How the sets vary between training points; `uniform` where absent.
    pub per_sample: Option<Spanned<PerSample>>,
    /// The levels γ.
    pub levels: Option<Spanned<Vec<Spanned<f64>>>>,
    /// Chance constraints in the place of `levels`.
    pub chance: Option<Spanned<ChanceSpec>>,
}

/// Key `chance`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChanceSpec {
    /// The levels ε: the probability with which noise may break a margin.
    pub epsilon: Spanned<Vec<Spanned<f64>>>,
    /// What is known of the noise.
    pub noise: NoiseName,
    /// The noise has the covariance `scale² Σ`.
    pub scale: Spanned<f64>,
}

/// Key `noise`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoiseName {
    /// It is normal.
    Gaussian,
    /// Its mean and covariance alone.
    Any,
}

impl From<NoiseName> for Noise {
    fn from(name: NoiseName) -> Self {
        match name {
            NoiseName::Gaussian => Self::Gaussian,
            NoiseName::Any => Self::Any,
        }
    }
}

/// Key `norm`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NormName {
    /// p = 1.
    One,
    /// p = 2.
    Two,
    /// p = ∞.
    Infinity,
}

impl<'de> Deserialize<'de> for NormName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entry;

        impl Visitor<'_> for Entry {
            type Value = NormName;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("1, 2 or \"infinity\"")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<NormName, E> {
                match number {
                    1 => Ok(NormName::One),
                    2 => Ok(NormName::Two),
                    _ => Err(E::invalid_value(Unexpected::Signed(number), &self)),
                }
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<NormName, E> {
                match word {
                    "infinity" => Ok(NormName::Infinity),
                    _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
                }
            }
        }

        deserializer.deserialize_any(Entry)
    }
}

/// Key `shape`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Σ = I.
    #[default]
    Sphere,
    /// An interval for each feature: p = ∞ and Σ^{1/2} = diag(`scales`), Σ = I without.
    Box,
    /// Σ^{1/2} = diag(`scales`).
    Diagonal,
    /// Σ of `covariance` or `matrix`.
    Full,
}

/// Key `covariance`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CovarianceName {
    /// That of the scaled training rows, over its mean eigenvalue.
    Training,
}

/// Key `per_sample`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PerSample {
    /// γ_i = level for every training point.
    #[default]
    Uniform,
    /// γ_i = level · g_i, g_i ∝ distance to the nearest training point, mean 1.
    NearestNeighbour,
    /// A shape for each training point, its axes ∝ the differences from the nearest training point, mean
    /// square 1.
    NearestNeighbourFeatures,
}
