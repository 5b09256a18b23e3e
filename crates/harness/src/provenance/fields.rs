//! Names and values in an order, in JSON as an object.

use super::Value;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

/// Names and their values, in the order a reader expects.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Fields(pub(crate) Vec<(String, Value)>);

impl Fields {
    /// The value of the field `name`.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        let field = self.0.iter().find(|(own, _)| own == name);
        field.map(|(_, value)| value)
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
