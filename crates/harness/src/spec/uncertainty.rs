//! Section `[uncertainty]`: the norm, shape and sizes of the sets.

use super::Spanned;
use super::constraint::{not_negative, positive, probability};
use robust_svm_bounds::chance::Noise;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use std::borrow::Cow;

/// Section `[uncertainty]`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UncertaintySpec {
    /// The norm p of the sets; `"infinity"` of a box and 2 of other shapes where absent.
    pub norm: Option<Spanned<NormName>>,
    /// The shape Σ of the sets.
    #[schemars(extend("default" = "sphere"))]
    pub shape: Option<Spanned<Shape>>,
    /// Of `box` and `diagonal`: the diagonal of Σ^{1/2}, one number ≥ 0 a feature of the data file; 1 each where absent,
    /// required by `diagonal`.
    #[schemars(transform = not_negative)]
    pub scales: Option<Spanned<Vec<f64>>>,
    /// Of `full`: where Σ comes from.
    pub covariance: Option<Spanned<CovarianceName>>,
    /// Of `full`: Σ, a row a feature of the data file; symmetric, no negative eigenvalue.
    pub matrix: Option<Spanned<Vec<Vec<f64>>>>,
    /// How the sets vary between training points.
    #[schemars(extend("default" = "uniform"))]
    pub per_sample: Option<Spanned<PerSample>>,
    /// The γ of test and validation points, ≥ 0; required, or `chance`.
    #[schemars(transform = not_negative)]
    pub levels: Option<Spanned<Vec<Spanned<f64>>>>,
    /// In the place of `levels`: sizes from chance constraints.
    pub chance: Option<Spanned<ChanceSpec>>,
}

/// Key `chance`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChanceSpec {
    /// The levels ε: the probability with which noise may break a margin; for Gaussian noise and robust linear methods
    /// at most ½.
    #[schemars(transform = probability)]
    pub epsilon: Spanned<Vec<Spanned<f64>>>,
    /// What is known of the noise.
    pub noise: NoiseName,
    /// The noise has the covariance `scale² Σ`.
    #[schemars(transform = positive)]
    pub scale: Spanned<f64>,
}

/// Key `noise`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
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

impl JsonSchema for NormName {
    fn schema_name() -> Cow<'static, str> {
        "NormName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "enum": [1, 2, "infinity"] })
    }
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Σ = I.
    #[default]
    Sphere,
    /// An interval for each feature, norm infinity: Σ^{1/2} = diag(`scales`), Σ = I without.
    Box,
    /// Σ^{1/2} = diag(`scales`).
    Diagonal,
    /// Σ of `covariance` or `matrix`.
    Full,
}

/// Key `covariance`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CovarianceName {
    /// The covariance of the scaled training rows over its mean eigenvalue, so that γ keeps its unit.
    Training,
}

/// Key `per_sample`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PerSample {
    /// γ_i = level for every training point.
    #[default]
    Uniform,
    /// γ_i = level · g_i; g_i is the distance of training point i to its nearest neighbour over the mean of these distances.
    NearestNeighbour,
    /// Only `sphere`: Σ_i^{1/2} = diag(|x_i − x_nn(i)|)/c, c the root of the mean square of these differences over points
    /// and features.
    NearestNeighbourFeatures,
}
