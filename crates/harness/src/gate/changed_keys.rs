//! Which keys of two experiment files differ.

use std::collections::BTreeSet;
use toml::{Table, Value};

/// A key that differs, as `path: old → new`, for each; keys that one file lacks are `none` there. In order of the paths.
///
/// A list of tables with names, as `[[method]]`, is compared by them: `method.rff.features.dim`.
pub(super) fn changed_keys(old: &Table, new: &Table) -> Vec<String> {
    let mut changes = Vec::new();
    compare_tables("", old, new, &mut changes);
    changes
}

fn compare_tables(path: &str, old: &Table, new: &Table, changes: &mut Vec<String>) {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for key in keys {
        let path = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        compare_values(&path, old.get(key), new.get(key), changes);
    }
}

fn compare_values(path: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Vec<String>) {
    match (old, new) {
        (Some(Value::Table(old)), Some(Value::Table(new))) => {
            compare_tables(path, old, new, changes);
        }
        (Some(old), Some(new)) if old == new => {}
        (old, new) => match (old.and_then(by_name), new.and_then(by_name)) {
            (Some(old), Some(new)) => {
                let before = changes.len();
                compare_tables(path, &old, &new, changes);
                if changes.len() == before {
                    changes.push(format!("{path}: another order"));
                }
            }
            _ => changes.push(format!("{path}: {} → {}", shown(old), shown(new))),
        },
    }
}

/// The elements of a list by their names; `None` unless it is a list of tables, each with a name of its own.
fn by_name(list: &Value) -> Option<Table> {
    let list = list.as_array()?;
    let named: Table = list
        .iter()
        .map(|value| Some((value.get("name")?.as_str()?.to_owned(), value.clone())))
        .collect::<Option<_>>()?;
    (named.len() == list.len()).then_some(named)
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "none".to_owned(), Value::to_string)
}

#[cfg(test)]
mod tests {
    use super::changed_keys;

    fn changes(old: &str, new: &str) -> Vec<String> {
        changed_keys(&old.parse().unwrap(), &new.parse().unwrap())
    }

    #[test]
    fn layout_and_comments_are_no_change() {
        let old = "repeats = 3\n[data]\nsplit = { train = 0.6, test = 0.4 }";
        let new = "# more\nrepeats=3\n[data.split]\ntest = 0.4\ntrain = 0.6";
        assert!(changes(old, new).is_empty());
    }

    #[test]
    fn values_come_and_go_by_their_paths() {
        let old = "repeats = 3\n[data]\ndatasets = [\"wine\"]\nscale = \"none\"\n[selection]\nlambda = [1.0]";
        let new = "repeats = 12\n[data]\ndatasets = [\"wine\", { name = \"iris\" }]\n[selection]\nlambda = [1.0]\nrule = \"x\"";
        assert_eq!(
            changes(old, new),
            [
                "data.datasets: [\"wine\"] → [\"wine\", { name = \"iris\" }]",
                "data.scale: \"none\" → none",
                "repeats: 3 → 12",
                "selection.rule: none → \"x\"",
            ]
        );
    }

    #[test]
    fn methods_are_compared_by_name() {
        let rff = |dim: u32| format!("[[method]]\nname = \"rff\"\nfeatures = {{ dim = {dim} }}\n");
        let linear = "[[method]]\nname = \"linear\"\n";
        let old = format!("{}{linear}", rff(128));
        assert_eq!(
            changes(&old, &format!("{linear}{}", rff(256))),
            ["method.rff.features.dim: 128 → 256"]
        );
        assert_eq!(
            changes(&old, &rff(128)),
            ["method.linear: { name = \"linear\" } → none"]
        );
        assert_eq!(
            changes(&old, &format!("{linear}{}", rff(128))),
            ["method: another order"]
        );
    }
}
