//! An entry of `datasets`: a name, or a table that declares a task and what is done otherwise for it.

use super::constraint::{or_name, positive};
use super::{MissingName, RowCapSpec, ScaleName, SharesSpec, SigmaSpec, Spanned};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

/// A dataset of an experiment and the binary task made of it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(transform = or_name)]
pub struct DatasetEntry {
    /// The name of its manifest.
    pub name: String,
    /// The name in results; the manifest's where absent. Needed to use one dataset twice.
    pub label: Option<String>,
    /// The classes labelled +1, by name or number; where absent, of two classes those that are not negative, else class 1.
    pub positive: Option<Vec<String>>,
    /// The classes labelled −1; all others where absent.
    pub negative: Option<Vec<String>>,
    /// What is done with missing values; `[data]`'s rule where absent.
    pub missing: Option<MissingName>,
    /// Shares of its rows; `[data]`'s where absent.
    pub split: Option<Spanned<SharesSpec>>,
    /// The most rows of its parts; for parts that are absent, `[data]`'s.
    #[serde(default)]
    pub max_rows: RowCapSpec,
    /// How its features are scaled; `[data]`'s rule where absent.
    pub scale: Option<ScaleName>,
    /// Its grid of λ; `[selection]`'s where absent. Not in studies.
    #[schemars(transform = positive)]
    pub lambda: Option<Spanned<Vec<Spanned<f64>>>>,
    /// Its grid of σ; `[selection]`'s where absent. Not in studies.
    pub sigma: Option<Spanned<SigmaSpec>>,
}

impl DatasetEntry {
    /// The name in results.
    pub fn label(&self) -> &str {
        self.label.as_ref().unwrap_or(&self.name)
    }
}

impl<'de> Deserialize<'de> for DatasetEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entry;

        impl<'de> Visitor<'de> for Entry {
            type Value = DatasetEntry;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a dataset's name or a table { name = \"…\", positive = [\"…\"] }")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<DatasetEntry, E> {
                Ok(DatasetEntry {
                    name: name.to_owned(),
                    ..DatasetEntry::default()
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DatasetEntry, A::Error> {
                // The derived reader of the table, not this one.
                DatasetEntry::deserialize(MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_any(Entry)
    }
}
