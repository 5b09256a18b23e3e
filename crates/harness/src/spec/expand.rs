//! Methods with lists: one method for each combination of their entries.

use super::sources::Sources;
use crate::source_error::{SourceError, nearest_name};
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// The keys of a method that may be lists, and the placeholders of its name.
pub(crate) const KEYS: [&str; 6] = [
    "bound",
    "inputs",
    "solver",
    "intercept",
    "train_level",
    "max_train_rows",
];
/// The same of its key `features`.
pub(crate) const FEATURE_KEYS: [&str; 6] =
    ["map", "dim", "form", "frequencies", "landmarks", "choose"];
/// Those of them whose lists belong to the selection grid, unless the name has their placeholder.
const GRIDS: [&str; 2] = ["dim", "landmarks"];
/// More methods from one section are a slip.
const MAX_METHODS: usize = 1000;

/// Replaces each method whose name has placeholders by one for each combination of the lists they stand for.
pub(super) fn expand_methods(
    sources: &Sources,
    table: &mut DeTable<'_>,
) -> Result<(), Box<SourceError>> {
    let Some(DeValue::Array(methods)) = table.get_mut("method").map(Spanned::get_mut) else {
        return Ok(());
    };
    let mut expanded = DeArray::new();
    for method in std::mem::replace(methods, DeArray::new()) {
        for method in expand(sources, method)? {
            expanded.push(method);
        }
    }
    *methods = expanded;
    Ok(())
}

/// The methods that one section stands for: the first placeholder's list varies slowest.
fn expand<'i>(
    sources: &Sources,
    method: Spanned<DeValue<'i>>,
) -> Result<Vec<Spanned<DeValue<'i>>>, Box<SourceError>> {
    let Some(written) = Written::of(&method) else {
        return Ok(vec![method]);
    };
    written.check_lists(sources)?;
    let mut methods = vec![(method.clone(), written.name.to_owned())];
    for key in &written.placeholders {
        let list = written.entries(sources, key)?;
        if methods.len() * list.len() > MAX_METHODS {
            let message = format!("this section stands for more than {MAX_METHODS} methods");
            let help = "shorten a list";
            return Err(Box::new(sources.error(written.name_span, message, help)));
        }
        let mut longer = Vec::with_capacity(methods.len() * list.len());
        for (method, name) in &methods {
            for entry in &list {
                let mut method = method.clone();
                set(&mut method, key, entry.clone());
                let text = text(entry.get_ref());
                let text = text.ok_or_else(|| {
                    let message = format!("`{key}` cannot be part of a name");
                    let help = "write texts or numbers";
                    Box::new(sources.error(entry.span(), message, help))
                })?;
                longer.push((method, name.replace(&format!("{{{key}}}"), &text)));
            }
        }
        methods = longer;
    }
    let named = methods.into_iter().map(|(mut method, name)| {
        if let DeValue::Table(keys) = method.get_mut()
            && let Some(value) = keys.get_mut("name")
        {
            *value.get_mut() = DeValue::String(Cow::Owned(name));
        }
        method
    });
    Ok(named.collect())
}

/// A section `[[method]]` with a name.
struct Written<'m, 'i> {
    keys: &'m DeTable<'i>,
    name: &'m str,
    name_span: Range<usize>,
    /// The texts between braces in the name, each once.
    placeholders: Vec<&'m str>,
}

impl<'m, 'i> Written<'m, 'i> {
    fn of(method: &'m Spanned<DeValue<'i>>) -> Option<Self> {
        let keys = method.get_ref().as_table()?;
        let value = keys.get("name")?;
        let name = value.get_ref().as_str()?;
        Some(Self {
            keys,
            name,
            name_span: value.span(),
            placeholders: placeholders(name),
        })
    }

    /// The value of a key of the method or of its features.
    fn value(&self, key: &str) -> Option<&'m Spanned<DeValue<'i>>> {
        if KEYS.contains(&key) {
            return self.keys.get(key);
        }
        self.keys.get("features")?.get_ref().as_table()?.get(key)
    }

    /// That the name has a placeholder for each list.
    fn check_lists(&self, sources: &Sources) -> Result<(), Box<SourceError>> {
        for key in KEYS.into_iter().chain(FEATURE_KEYS) {
            let list = self.value(key).filter(|value| value.get_ref().is_array());
            let Some(list) = list else { continue };
            if self.placeholders.contains(&key) || GRIDS.contains(&key) {
                continue;
            }
            let message = format!("`{key}` is a list, and the method's name does not say which");
            let help = format!(
                "add the placeholder {{{key}}} for a method for each entry: name = \"{}-{{{key}}}\"",
                self.name
            );
            return Err(Box::new(sources.error(list.span(), message, help)));
        }
        Ok(())
    }

    /// The entries that the placeholder `key` stands for.
    fn entries(
        &self,
        sources: &Sources,
        key: &str,
    ) -> Result<Vec<Spanned<DeValue<'i>>>, Box<SourceError>> {
        let refuse = |span: Range<usize>, message: String, help: String| {
            Err(Box::new(sources.error(span, message, help)))
        };
        let known = || KEYS.into_iter().chain(FEATURE_KEYS);
        if !known().any(|name| name == key) {
            let message = format!("unknown placeholder `{{{key}}}`");
            let all: Vec<String> = known().map(|key| format!("{{{key}}}")).collect();
            let help = nearest_name(key, known()).map_or_else(
                || format!("placeholders: {}", all.join(", ")),
                |near| format!("did you mean `{{{near}}}`?"),
            );
            return refuse(self.name_span.clone(), message, help);
        }
        let Some(value) = self.value(key) else {
            let message = format!("the name has `{{{key}}}`, and the method has no `{key}`");
            let help = format!("add `{key}`, or leave the placeholder out");
            return refuse(self.name_span.clone(), message, help);
        };
        match value.get_ref().as_array().map(|list| &**list) {
            None => Ok(vec![value.clone()]),
            Some([]) => {
                let help = "write at least one entry, or leave the key out".to_owned();
                refuse(value.span(), format!("`{key}` is empty"), help)
            }
            Some(list) => Ok(list.to_vec()),
        }
    }
}

/// Sets a key of `method` or of its features, which is there.
fn set<'i>(method: &mut Spanned<DeValue<'i>>, key: &str, value: Spanned<DeValue<'i>>) {
    let DeValue::Table(keys) = method.get_mut() else {
        return;
    };
    let keys = if KEYS.contains(&key) {
        Some(keys)
    } else {
        keys.get_mut("features")
            .and_then(|features| match features.get_mut() {
                DeValue::Table(features) => Some(features),
                _ => None,
            })
    };
    if let Some(place) = keys.and_then(|keys| keys.get_mut(key)) {
        *place = value;
    }
}

/// The texts between braces, each once, in their order.
fn placeholders(name: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = name;
    while let Some((_, after)) = rest.split_once('{') {
        let Some((key, after)) = after.split_once('}') else {
            break;
        };
        if !found.contains(&key) {
            found.push(key);
        }
        rest = after;
    }
    found
}

/// A text or number as it stands in a name: `0.50` as `0.5`.
fn text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => {
            let number = i64::from_str_radix(number.as_str(), number.radix());
            number.ok().map(|number| number.to_string())
        }
        DeValue::Float(number) => {
            let number: f64 = number.as_str().parse().ok()?;
            Some(format!("{number:?}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{placeholders, text};
    use toml::de::DeValue;

    #[test]
    fn placeholders_are_between_braces() {
        assert_eq!(placeholders("rff-{dim}-{bound}/{dim}"), ["dim", "bound"]);
        assert_eq!(placeholders("rff"), [""; 0]);
        assert_eq!(placeholders("a}{b"), [""; 0]);
    }

    #[test]
    fn numbers_of_one_value_have_one_text() {
        let told = |written: &str| text(DeValue::parse(written).unwrap().get_ref());
        for (written, expected) in [
            ("64", "64"),
            ("0x40", "64"),
            ("1_000", "1000"),
            ("-3", "-3"),
            ("0.50", "0.5"),
            ("5e-1", "0.5"),
            ("1_0.0", "10.0"),
            ("\"arcs\"", "arcs"),
        ] {
            assert_eq!(told(written).as_deref(), Some(expected), "{written}");
        }
        for no_name in ["true", "[1]", "{ a = 1 }"] {
            assert_eq!(told(no_name), None, "{no_name}");
        }
    }
}
