//! An entry of `datasets`: a name, or a table that declares a task.

use super::MissingName;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

/// A dataset of an experiment and the binary task made of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatasetEntry {
    /// The manifest's name.
    pub name: String,
    /// The name in results; the manifest's where absent. Needed to use one dataset twice.
    pub label: Option<String>,
    /// The classes labelled +1.
    pub positive: Option<Vec<String>>,
    /// The classes labelled −1; all others where absent.
    pub negative: Option<Vec<String>>,
    /// What is done with missing values; `[data]`'s rule where absent.
    pub missing: Option<MissingName>,
}

impl DatasetEntry {
    /// The name in results.
    pub fn label(&self) -> &str {
        self.label.as_ref().unwrap_or(&self.name)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: String,
    label: Option<String>,
    positive: Option<Vec<String>>,
    negative: Option<Vec<String>>,
    missing: Option<MissingName>,
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
                let table = Table::deserialize(MapAccessDeserializer::new(map))?;
                Ok(DatasetEntry {
                    name: table.name,
                    label: table.label,
                    positive: table.positive,
                    negative: table.negative,
                    missing: table.missing,
                })
            }
        }

        deserializer.deserialize_any(Entry)
    }
}
