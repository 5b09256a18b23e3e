//! What the schema says of numbers and lists beyond their types: the checks of the plan in its words.

use schemars::Schema;
use serde_json::{Value, json};

/// Numbers, or entries of a list, above 0.
pub(crate) fn positive(schema: &mut Schema) {
    of_numbers(schema, &[("exclusiveMinimum", json!(0))]);
}

/// Numbers, or entries of a list, of 0 or more.
pub(crate) fn not_negative(schema: &mut Schema) {
    of_numbers(schema, &[("minimum", json!(0))]);
}

/// Numbers, or entries of a list, between 0 and 1.
pub(crate) fn probability(schema: &mut Schema) {
    let limits = [
        ("exclusiveMinimum", json!(0)),
        ("exclusiveMaximum", json!(1)),
    ];
    of_numbers(schema, &limits);
}

/// The same for each number of a list, which has an entry.
fn of_numbers(schema: &mut Schema, limits: &[(&str, Value)]) {
    let object = schema.ensure_object();
    if let Some(Value::Object(items)) = object.get_mut("items") {
        let limits = limits
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.clone()));
        items.extend(limits);
        object.insert("minItems".to_owned(), json!(1));
        return;
    }
    for (key, value) in limits {
        object.insert((*key).to_owned(), value.clone());
    }
}

/// A name in the place of a table.
pub(crate) fn or_name(schema: &mut Schema) {
    let table = std::mem::take(schema.ensure_object());
    let description = table.get("description").cloned();
    let object = schema.ensure_object();
    object.insert("anyOf".to_owned(), json!([{ "type": "string" }, table]));
    object.extend(description.map(|text| ("description".to_owned(), text)));
}
