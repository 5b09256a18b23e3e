//! The reference of keys in `docs/experiments.md`.

use super::types::{KINDS, Object, definition, definitions, referred};
use serde_json::Value;
use std::fmt::Write as _;

/// Tables of all keys, kind by kind: what they mean, their values, and what holds where they are absent.
pub fn reference() -> String {
    let mut writer = Writer {
        definitions: definitions(),
        told: Vec::new(),
        text: String::new(),
    };
    for kind in KINDS {
        let _ = write!(writer.text, "### Keys of `kind = \"{kind}\"`\n\n");
        writer.table(definition(kind), "");
    }
    writer.text.trim_end().to_owned() + "\n"
}

struct Writer {
    definitions: Object,
    /// The tables that have their place.
    told: Vec<Below>,
    text: String,
}

/// A table below another: its heading and its definition.
type Below = (String, String);

impl Writer {
    /// The table of the definition `name` under the heading `path`, and those below it.
    fn table(&mut self, name: &str, path: &str) {
        let Some(schema) = self.definitions.get(name).cloned() else {
            return;
        };
        let schema = object(&schema).unwrap_or(&schema);
        let required = schema.get("required").and_then(Value::as_array);
        let required = |key: &str| required.is_some_and(|keys| keys.iter().any(|name| name == key));
        if !path.is_empty() {
            let what = description(schema);
            let what = what.split_once(": ").map(|(_, what)| format!(" — {what}"));
            let _ = write!(self.text, "**`{path}`**{}\n\n", what.unwrap_or_default());
        }
        self.text
            .push_str("| key | values | | absent |\n|---|---|---|---|\n");
        let mut below: Vec<Below> = Vec::new();
        let Some(Value::Object(properties)) = schema.get("properties") else {
            return;
        };
        let (first, then): (Vec<_>, Vec<_>) = properties.iter().partition(|(key, _)| required(key));
        for (key, value) in first.into_iter().chain(then) {
            let (what, values) = (description(value), self.values(value));
            let meant = self.meanings(value);
            let absent = match value.get("default") {
                _ if required(key) => "required".to_owned(),
                Some(default) if is_empty(default) => String::new(),
                Some(default) => format!("`{}`", toml_text(default)),
                None => String::new(),
            };
            let what = [what, meant].join(" ");
            let _ = writeln!(
                self.text,
                "| `{key}` | {values} | {} | {absent} |",
                cell(&what)
            );
            below.extend(self.below(value, key, path));
        }
        self.text.push('\n');
        // A table has its place where it is least deep.
        let fresh = |told: &[Below], name: &str| told.iter().all(|(_, known)| known != name);
        let (mut tables, mut repeated): (Vec<Below>, Vec<Below>) = (Vec::new(), Vec::new());
        for (path, name) in below {
            if fresh(&self.told, &name) {
                self.told.push((path.clone(), name.clone()));
                tables.push((path, name));
            } else {
                repeated.push((path, name));
            }
        }
        for (path, name) in tables {
            self.table(&name, &path);
        }
        for (path, name) in repeated {
            let first = self.told.iter().find(|(_, known)| *known == name);
            let first = first.map_or_else(String::new, |(first, _)| first.clone());
            let keys = if first == path {
                "as above".to_owned()
            } else {
                format!("the keys of `{first}`")
            };
            let _ = write!(self.text, "**`{path}`** — {keys}.\n\n");
        }
    }

    /// The table that `value`, of `key` in the table `path`, is or is a list of.
    fn below(&self, value: &Value, key: &str, path: &str) -> Option<Below> {
        let (list, templates) = (value.get("items"), value.get("additionalProperties"));
        let entry = list
            .or(templates.filter(|schema| schema.is_object()))
            .unwrap_or(value);
        let name = referred(entry)?;
        let schema = self.definitions.get(name)?;
        object(schema)?.get("properties")?;
        let heading = match (path, list, templates) {
            ("", _, Some(_)) => format!("[{key}.NAME]"),
            ("", Some(_), _) => format!("[[{key}]]"),
            ("", None, None) => format!("[{key}]"),
            _ => format!("{path} {key}"),
        };
        Some((heading, name.to_owned()))
    }

    /// The values in words.
    fn values(&self, schema: &Value) -> String {
        if let Some(name) = referred(schema) {
            let referred = self.definitions.get(name);
            return referred.map_or_else(String::new, |schema| self.values(schema));
        }
        if let Some(value) = schema.get("const") {
            return format!("`{}`", toml_text(value));
        }
        if let Some(Value::Array(values)) = schema.get("enum") {
            let values: Vec<String> = values
                .iter()
                .map(|v| format!("`{}`", toml_text(v)))
                .collect();
            return values.join(", ");
        }
        for (choice, or) in [("oneOf", ", "), ("anyOf", " or ")] {
            if let Some(Value::Array(choices)) = schema.get(choice) {
                let choices: Vec<String> =
                    choices.iter().map(|choice| self.values(choice)).collect();
                return choices.join(or);
            }
        }
        let range = range(schema);
        match schema.get("type").and_then(Value::as_str) {
            Some("array") => {
                let items = schema.get("items").map(|items| self.values(items));
                format!("list of {}", plural(&items.unwrap_or_default()))
            }
            Some("integer") => format!("whole number{range}"),
            Some("number") => format!("number{range}"),
            Some("string") => "text".to_owned(),
            Some("boolean") => "`true`, `false`".to_owned(),
            Some("object") if schema.get("properties").is_none() => "tables".to_owned(),
            _ => match only_key(schema) {
                Some((key, value)) => {
                    let list = value.get("items").is_some();
                    format!("`{{ {key} = {} }}`", if list { "[…]" } else { "…" })
                }
                None => "table".to_owned(),
            },
        }
    }

    /// What each of the values with a name means.
    fn meanings(&self, schema: &Value) -> String {
        let schema = schema.get("items").unwrap_or(schema);
        let schema = referred(schema)
            .and_then(|name| self.definitions.get(name))
            .unwrap_or(schema);
        let Some(Value::Array(choices)) = schema.get("oneOf") else {
            return String::new();
        };
        let meant = choices.iter().filter_map(|choice| {
            let key = || only_key(choice).map(|(key, _)| key.as_str());
            let value = choice.get("const").and_then(Value::as_str).or_else(key)?;
            let what = description(choice);
            Some(format!("`{value}`: {}", what.trim_end_matches('.')))
        });
        let meant: Vec<String> = meant.collect();
        if meant.is_empty() {
            String::new()
        } else {
            meant.join("; ") + "."
        }
    }
}

/// The key of a choice that is a table of one key.
fn only_key(schema: &Value) -> Option<(&String, &Value)> {
    let properties = schema.get("properties")?.as_object()?;
    let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let mut keys = properties.iter();
    let only = keys.next().filter(|_| is_closed && keys.next().is_none());
    only.filter(|_| schema.get("required").is_some())
}

/// The alternative of `schema` that is a table with keys.
fn object(schema: &Value) -> Option<&Value> {
    let choices = schema.get("anyOf").and_then(Value::as_array);
    let choices = choices.into_iter().flatten();
    choices
        .chain([schema])
        .find(|schema| schema.get("properties").is_some())
}

fn description(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str);
    text.unwrap_or_default().replace('\n', " ")
}

/// The range of a number: `, 1 to 100000`.
fn range(schema: &Value) -> String {
    let limit = |key: &str| schema.get(key).filter(|limit| limit.is_number());
    match (
        limit("minimum"),
        limit("maximum"),
        limit("exclusiveMinimum"),
        limit("exclusiveMaximum"),
    ) {
        (Some(low), Some(high), _, _) if !is_word(high) => format!(", {low} to {high}"),
        (Some(low), _, _, _) => format!(" ≥ {low}"),
        (_, _, Some(low), Some(high)) => format!(" between {low} and {high}"),
        (_, _, Some(low), None) => format!(" > {low}"),
        _ => String::new(),
    }
}

/// Whether a maximum is that of an integer type.
fn is_word(limit: &Value) -> bool {
    limit
        .as_u64()
        .is_some_and(|limit| limit >= u64::from(u32::MAX))
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Object::is_empty)
}

/// A default as it is written in a file.
fn toml_text(value: &Value) -> String {
    match value {
        Value::Object(table) => {
            let keys = table
                .iter()
                .map(|(key, value)| format!("{key} = {}", toml_text(value)));
            format!("{{ {} }}", keys.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// Values of a list in words.
fn plural(values: &str) -> String {
    let mut plural = values.to_owned();
    for word in ["number", "text", "table", "list"] {
        plural = plural.replace(word, &format!("{word}s"));
    }
    plural
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.trim().replace('|', "\\|")
}
