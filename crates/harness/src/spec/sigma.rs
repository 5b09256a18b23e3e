//! Key `sigma`: a table, never a list, so that a list of numbers is told what it lacks.

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use toml::Spanned;

/// The grid of σ.
#[derive(Debug, Clone)]
pub struct SigmaSpec {
    /// Multiples of the median distance between training rows.
    pub times_median: Spanned<Vec<Spanned<f64>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    times_median: Spanned<Vec<Spanned<f64>>>,
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
                let Table { times_median } = Table::deserialize(MapAccessDeserializer::new(map))?;
                Ok(SigmaSpec { times_median })
            }
        }

        deserializer.deserialize_map(Entry)
    }
}
