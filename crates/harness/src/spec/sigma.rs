//! Key `sigma`: a table, never a list, so that a list of numbers is told what it lacks.

use super::Spanned;
use super::constraint::{positive, probability};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};

/// The grid of σ: `times_median` alone, or a rule by `theta_max`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SigmaSpec {
    /// Multiples of the median distance between training rows.
    #[schemars(transform = positive)]
    pub times_median: Option<Spanned<Vec<Spanned<f64>>>>,
    /// In the place of `times_median`: the largest phases θ_max, in radians, that a perturbation of size γ may turn a
    /// frequency by, with probability 0.997 for each frequency; σ is the least that keeps to it, `3γ‖Σ^{1/2}‖_F/θ_max`
    /// in norm 2 (Couellan & Jan, Prop. 5.1).
    #[schemars(transform = positive)]
    pub theta_max: Option<Spanned<Vec<Spanned<f64>>>>,
    /// Beside `theta_max`: the size γ of the perturbations.
    #[schemars(transform = positive)]
    pub gamma: Option<Spanned<f64>>,
    /// Beside `jointly`: the probability that some frequency is turned further; 0.0027 where absent.
    #[schemars(transform = probability)]
    pub failure: Option<Spanned<f64>>,
    /// Whether the rule is for all frequencies of an rff map at once, of a list of D the largest; for each by itself where
    /// absent.
    pub jointly: Option<Spanned<bool>>,
}

impl<'de> Deserialize<'de> for SigmaSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entry;

        impl<'de> Visitor<'de> for Entry {
            type Value = SigmaSpec;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("multiples of the median distance { times_median = [0.5, 1.0, 2.0] }")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SigmaSpec, A::Error> {
                // The derived reader of the table, not this one.
                SigmaSpec::deserialize(MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_map(Entry)
    }
}
