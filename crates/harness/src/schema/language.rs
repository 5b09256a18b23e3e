//! The schema of files as they are written: lists of methods, templates and includes beside what the types say.

use super::types::{KINDS, Object, definition, definitions, reference_to, referred};
use crate::spec::Kind;
use crate::spec::expand::{FEATURE_KEYS, KEYS};
use serde_json::{Value, json};

/// The definitions of a method and of its key `features`.
const METHOD: &str = "MethodSpec";
const FEATURES: &str = "FeaturesSpec";
/// What is added to the name of a definition without required keys: other files or a template may have them.
const PARTIAL: &str = "Part";

/// The JSON Schema (draft 2020-12) of experiment files of one kind, or of all, told apart by their key `kind`.
pub fn schema(kind: Option<Kind>) -> Value {
    let mut definitions = definitions();
    lists_of_methods(&mut definitions);
    templates(&mut definitions);
    let kinds = kind.map_or_else(|| KINDS.to_vec(), |kind| vec![kind]);
    let mut root = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:robust-svm:experiment",
        "title": "An experiment of robust-svm",
        "type": "object",
    });
    let mut choice: Option<Value> = None;
    for &kind in kinds.iter().rev() {
        let file = with_includes(&mut definitions, definition(kind));
        choice = Some(match choice {
            None => file,
            Some(_) if kind == Kind::default() => {
                // The kind of a file that does not say one.
                let named = json!({ "properties": { "kind": { "const": kind } } });
                json!({ "if": named, "then": file, "else": choice })
            }
            Some(others) => {
                let named =
                    json!({ "properties": { "kind": { "const": kind } }, "required": ["kind"] });
                json!({ "if": named, "then": file, "else": others })
            }
        });
    }
    if kinds.len() > 1 {
        root["properties"] = json!({ "kind": { "enum": kinds } });
    }
    if let (Value::Object(root), Some(Value::Object(choice))) = (&mut root, choice) {
        root.extend(choice);
    }
    let used = used(&root, &definitions);
    definitions.retain(|name, _| used.contains(name));
    root["$defs"] = Value::Object(definitions);
    root
}

/// A method's keys may be lists, where its name has their placeholder.
fn lists_of_methods(definitions: &mut Object) {
    for (name, keys) in [(METHOD, &KEYS[..]), (FEATURES, &FEATURE_KEYS[..])] {
        let properties = definitions
            .get_mut(name)
            .and_then(|d| d.get_mut("properties"));
        let Some(Value::Object(properties)) = properties else {
            continue;
        };
        for key in keys {
            if let Some(Value::Object(value)) = properties.get_mut(*key) {
                let told = ["description", "default"].map(|key| (key, value.remove(key)));
                let list = json!({ "type": "array", "items": value, "minItems": 1 });
                let mut either = Object::new();
                either.insert("anyOf".to_owned(), json!([value, list]));
                let told = told.into_iter();
                either.extend(told.filter_map(|(key, text)| Some((key.to_owned(), text?))));
                *value = either;
            }
        }
    }
}

/// A template has any keys of a method, and so has a method that names one.
fn templates(definitions: &mut Object) {
    let part = partial(definitions, METHOD);
    let properties = definitions
        .get_mut(definition(Kind::Classification))
        .and_then(|file| file.get_mut("properties"));
    if let Some(properties) = properties {
        properties["template"]["additionalProperties"] = json!({ "$ref": reference_to(&part) });
        properties["method"]["items"] = json!({
            "if": { "required": ["template"] },
            "then": { "$ref": reference_to(&part) },
            "else": { "$ref": reference_to(METHOD) },
        });
    }
}

/// The schema of a file of the definition `name`: no key is required of one that includes others.
fn with_includes(definitions: &mut Object, name: &str) -> Value {
    let properties = definitions
        .get_mut(name)
        .and_then(|d| d.get_mut("properties"));
    if let Some(Value::Object(properties)) = properties {
        let include = properties.entry("include").or_insert_with(|| {
            json!({
                "description": "Other files that this one builds on, by their paths from its folder.",
                "type": "array",
                "items": { "type": "string" },
            })
        });
        include["default"] = json!([]);
    }
    let part = partial(definitions, name);
    json!({
        "if": { "required": ["include"] },
        "then": { "$ref": reference_to(&part) },
        "else": { "$ref": reference_to(name) },
    })
}

/// The name of the definition `name` without required keys, at any depth; it is made if need be.
fn partial(definitions: &mut Object, name: &str) -> String {
    let part = format!("{name}{PARTIAL}");
    if name.ends_with(PARTIAL) || definitions.contains_key(&part) {
        return if name.ends_with(PARTIAL) {
            name.to_owned()
        } else {
            part
        };
    }
    let Some(whole) = definitions.get(name).cloned() else {
        return name.to_owned();
    };
    let mut definition = whole.clone();
    without_required(definitions, &mut definition);
    if definition == whole {
        return name.to_owned();
    }
    definitions.insert(part.clone(), definition);
    part
}

fn without_required(definitions: &mut Object, schema: &mut Value) {
    if let Some(name) = referred(schema).map(str::to_owned) {
        let part = partial(definitions, &name);
        schema["$ref"] = json!(reference_to(&part));
    }
    match schema {
        Value::Object(object) => {
            // Of methods, what tells those with a template stays.
            if object.contains_key("properties") {
                object.remove("required");
            }
            let values = object.values_mut();
            values.for_each(|value| without_required(definitions, value));
        }
        Value::Array(list) => {
            let values = list.iter_mut();
            values.for_each(|value| without_required(definitions, value));
        }
        _ => {}
    }
}

/// The definitions that `schema` refers to, and those that these do.
fn used(schema: &Value, definitions: &Object) -> Vec<String> {
    let mut names = Vec::new();
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        if let Some(name) = referred(schema)
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_owned());
            open.extend(definitions.get(name));
        }
        match schema {
            Value::Object(object) => open.extend(object.values()),
            Value::Array(list) => open.extend(list),
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::types::{KINDS, definition, definitions};
    use super::{FEATURE_KEYS, FEATURES, KEYS, METHOD};
    use std::collections::BTreeSet;

    fn keys(name: &str) -> BTreeSet<String> {
        let definitions = definitions();
        let properties = definitions[name]["properties"].as_object();
        properties.expect("a table").keys().cloned().collect()
    }

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Every key of a method may be a list, but for its name, its template and the table of its features.
    #[test]
    fn the_keys_of_methods_are_all_there() {
        let others = set(&["features", "name", "template"]);
        assert_eq!(&keys(METHOD) - &others, set(&KEYS));
        assert_eq!(keys(FEATURES), set(&FEATURE_KEYS));
    }

    /// A file that does not say its kind is told by the keys that no other kind has.
    #[test]
    fn telling_keys_are_those_of_one_kind() {
        for kind in KINDS {
            let others = KINDS.into_iter().filter(|other| *other != kind);
            let others: BTreeSet<String> =
                others.flat_map(|other| keys(definition(other))).collect();
            let only = &keys(definition(kind)) - &others;
            assert_eq!(
                &only - &set(&["include"]),
                set(kind.telling_keys()),
                "{kind}"
            );
        }
    }
}
