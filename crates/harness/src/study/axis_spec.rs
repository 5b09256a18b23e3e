//! Keys of an axis: a table, never a list, so that a list is told what it lacks.

use crate::spec::Spanned;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::marker::PhantomData;

/// An axis: its value while another one varies, and the values it takes itself.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "AxisOf{T}")]
pub(in crate::study) struct AxisSpec<T> {
    /// The value at the base point.
    pub(in crate::study) base: Spanned<T>,
    /// The values varied over, maybe the base among them; none where absent.
    pub(in crate::study) vary: Option<Vec<Spanned<T>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table<T> {
    base: Spanned<T>,
    vary: Option<Vec<Spanned<T>>>,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for AxisSpec<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entry<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entry<T> {
            type Value = AxisSpec<T>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an axis { base = 1, vary = [2, 5] }")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AxisSpec<T>, A::Error> {
                let Table { base, vary } = Table::deserialize(MapAccessDeserializer::new(map))?;
                Ok(AxisSpec { base, vary })
            }
        }

        deserializer.deserialize_map(Entry(PhantomData))
    }
}
