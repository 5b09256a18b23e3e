//! Key `sigma`: a table, never a list, so that a list of numbers is told what it lacks.

use super::Spanned;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};

/// The grid of σ: `times_median` alone, or a rule by `theta_max`.
#[derive(Debug, Clone, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SigmaSpec {
    /// Multiples of the median distance between training rows.
    pub times_median: Option<Spanned<Vec<Spanned<f64>>>>,
    /// The largest phases that a perturbation may turn a frequency by, in radians.
    pub theta_max: Option<Spanned<Vec<Spanned<f64>>>>,
    /// The size γ of the perturbations.
    pub gamma: Option<Spanned<f64>>,
    /// The probability that some frequency is turned further.
    pub failure: Option<Spanned<f64>>,
    /// Whether the rule is for all frequencies at once; for each by itself where absent.
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
