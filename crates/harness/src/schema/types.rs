//! The schemas of the types that files of each kind are read into.

use crate::spec::{self, Kind};
use crate::study::{bandwidth_rule, bound_tightness, classifiers, safe_ellipsoid, scaling};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// A JSON object.
pub(super) type Object = Map<String, Value>;

/// Every kind.
pub(super) const KINDS: [Kind; 6] = [
    Kind::Classification,
    Kind::BoundTightness,
    Kind::BandwidthRule,
    Kind::SafeEllipsoid,
    Kind::Classifiers,
    Kind::Scaling,
];

/// The definition of a kind's file.
pub(super) fn definition(kind: Kind) -> &'static str {
    match kind {
        Kind::Classification => "Classification",
        Kind::BoundTightness => "BoundTightness",
        Kind::BandwidthRule => "BandwidthRule",
        Kind::SafeEllipsoid => "SafeEllipsoid",
        Kind::Classifiers => "Classifiers",
        Kind::Scaling => "Scaling",
    }
}

/// Where the definition `name` is.
pub(super) fn reference_to(name: &str) -> String {
    format!("#/$defs/{name}")
}

/// The name in a reference to a definition.
pub(super) fn referred(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// The definitions of all types by their names. TOML has no null: what may be absent is not required, and that is all.
pub(super) fn definitions() -> Object {
    let mut generator = SchemaGenerator::from(SchemaSettings::draft2020_12());
    generator.subschema_for::<spec::Spec>();
    generator.subschema_for::<bound_tightness::Spec>();
    generator.subschema_for::<bandwidth_rule::Spec>();
    generator.subschema_for::<safe_ellipsoid::Spec>();
    generator.subschema_for::<classifiers::Spec>();
    generator.subschema_for::<scaling::Spec>();
    let mut definitions = generator.take_definitions(true);
    definitions.values_mut().for_each(|definition| {
        without_null(definition);
        in_one_line(definition);
    });
    for kind in KINDS {
        let file = definitions
            .get_mut(definition(kind))
            .and_then(Value::as_object_mut);
        if let Some(file) = file {
            of_kind(file, kind);
        }
    }
    definitions
}

/// Says which `kind` a file is of; only a classification need not.
fn of_kind(file: &mut Object, kind: Kind) {
    if let Some(Value::Object(properties)) = file.get_mut("properties") {
        let mut value = json!({ "const": kind, "description": "What is measured." });
        if kind == Kind::default() {
            value["default"] = json!(kind);
        }
        properties.insert("kind".to_owned(), value);
    }
    if kind != Kind::default()
        && let Some(Value::Array(required)) = file.get_mut("required")
    {
        required.insert(0, json!("kind"));
    }
}

/// Puts each description on one line.
fn in_one_line(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if let Some(Value::String(text)) = object.get_mut("description") {
                *text = text.replace('\n', " ");
            }
            object.values_mut().for_each(in_one_line);
        }
        Value::Array(list) => list.iter_mut().for_each(in_one_line),
        _ => {}
    }
}

/// Removes the alternative null everywhere in `schema`.
fn without_null(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    object.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
                choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
                if let [Value::Object(only)] = choices.as_slice() {
                    let only = only.clone();
                    object.remove("anyOf");
                    object.extend(only);
                }
            }
            if object.get("default") == Some(&Value::Null) {
                object.remove("default");
            }
            object.values_mut().for_each(without_null);
        }
        Value::Array(list) => list.iter_mut().for_each(without_null),
        _ => {}
    }
}
