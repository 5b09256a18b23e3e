//! What is to be explained: a cell, an entry of a table, a point of a figure.

use super::StoredCells;
use crate::plan::PlannedCell;
use crate::store::StoreError;
use std::path::Path;

/// What a user names on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    /// The cell whose identity begins so.
    Cell(String),
    /// An entry of a file of `tables/`, by the names of its line and column.
    Entry(Address),
    /// A point of a figure of `plots/`, by the axes of its cells.
    Point(Address),
}

/// A place in a table or figure: `NAME:PART/PART/…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// The file's name without its ending.
    pub(crate) name: String,
    /// What follows the colon, in parts; none where there is no colon.
    pub(crate) parts: Vec<String>,
}

impl What {
    /// From the text that a user wrote.
    pub(crate) fn of(text: &str) -> Self {
        if let Some(rest) = text.strip_prefix("tables/") {
            Self::Entry(Address::of(rest))
        } else if let Some(rest) = text.strip_prefix("plots/") {
            Self::Point(Address::of(rest))
        } else {
            Self::Cell(text.to_owned())
        }
    }
}

impl Address {
    fn of(text: &str) -> Self {
        let (file, place) = text.split_once(':').unwrap_or((text, ""));
        // The file's ending may be there: it is copied from a listing.
        let name = [".md", ".csv", ".tex", ".svg", ".png", ".pdf"]
            .iter()
            .find_map(|ending| file.strip_suffix(ending))
            .unwrap_or(file);
        Self {
            name: name.to_owned(),
            parts: parts(place),
        }
    }

    /// Whether its parts are those of `names`, in any order.
    pub(crate) fn is(&self, names: &[&str]) -> bool {
        let mut theirs: Vec<String> = names.iter().flat_map(|name| parts(name)).collect();
        self.parts.len() == theirs.len() && self.take_from(&mut theirs)
    }

    /// Whether each of its parts is one of `names`, and no two the same one.
    pub(crate) fn is_within(&self, names: &[&str]) -> bool {
        let mut theirs: Vec<String> = names.iter().flat_map(|name| parts(name)).collect();
        self.take_from(&mut theirs)
    }

    fn take_from(&self, theirs: &mut Vec<String>) -> bool {
        self.parts.iter().all(|part| {
            let at = theirs.iter().position(|name| same(name, part));
            at.map(|at| theirs.remove(at)).is_some()
        })
    }

    /// Whether each part is the value of another axis of `cell`: a value, or `axis=value`.
    pub(crate) fn is_on_axes(&self, cell: &PlannedCell) -> bool {
        let mut axes: Vec<&(&str, String)> = cell.axes.iter().collect();
        self.parts.iter().all(|part| {
            let (name, value) = match part.split_once('=') {
                Some((name, value)) => (Some(name), value),
                None => (None, part.as_str()),
            };
            let at = axes
                .iter()
                .position(|(axis, own)| name.is_none_or(|name| name == *axis) && same(own, value));
            at.map(|at| axes.remove(at)).is_some()
        })
    }
}

/// The parts of a name: names may have `/` themselves.
fn parts(text: &str) -> Vec<String> {
    let parts = text.split('/').map(|part| plain(part.trim()));
    parts.filter(|part| !part.is_empty()).collect()
}

/// A text copied from a Markdown table, without its marks.
fn plain(text: &str) -> String {
    let marks = |c: char| c == '*' || "⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c);
    text.trim_matches(marks).replace('\\', "")
}

/// Whether two names are the same, or the same number.
fn same(a: &str, b: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    a == b || number(a).is_some_and(|a| number(b) == Some(a))
}

/// Of `cells`, in their order, those stored with these values in these columns.
///
/// # Errors
/// [`StoreError`] if the stored file is damaged.
pub(crate) fn with_values<'a>(
    cells: impl Iterator<Item = &'a PlannedCell>,
    stored: &StoredCells,
    columns: &[(String, Option<String>)],
) -> Result<Vec<&'a PlannedCell>, StoreError> {
    let mut found = Vec::new();
    for cell in cells {
        let mut agrees = stored.has(&cell.id);
        for (column, wanted) in columns {
            agrees = agrees
                && match (stored.value(&cell.id, column)?, wanted) {
                    (Some(value), Some(wanted)) => value.is(wanted),
                    (Some(value), None) => value == super::Value::Null,
                    (None, _) => false,
                };
        }
        if agrees {
            found.push(cell);
        }
    }
    Ok(found)
}

/// The names, without endings, of the files of the folder `of`, in order.
///
/// # Errors
/// [`StoreError`] if it cannot be read.
pub(crate) fn names_in(of: &Path) -> Result<Vec<String>, StoreError> {
    if !of.exists() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in std::fs::read_dir(of).map_err(StoreError::io("read", of))? {
        let path = entry.map_err(StoreError::io("read", of))?.path();
        if let Some(name) = path.file_stem() {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::{Address, What};
    use crate::plan::PlannedCell;

    fn address(text: &str) -> Address {
        match What::of(text) {
            What::Entry(address) | What::Point(address) => address,
            What::Cell(_) => panic!("{text} is no address"),
        }
    }

    #[test]
    fn addresses_are_copied_from_tables() {
        assert_eq!(What::of("60e6"), What::Cell("60e6".into()));
        let of = address("tables/accuracy.md:ionosphere / **robust-rff** / 0.50");
        assert_eq!(of.name, "accuracy");
        assert!(of.is(&["ionosphere", "0.5", "robust-rff"]));
        assert!(!of.is(&["ionosphere", "0.5", "rff"]));
        assert!(!of.is(&["ionosphere", "0.5", "robust-rff", "more"]));
        assert!(of.is_within(&["ionosphere", "0.5", "robust-rff", "more"]));
        assert!(address("tables/selection").parts.is_empty());
    }

    #[test]
    fn names_with_slashes_are_names() {
        let of = address("tables/accuracy:a/b/linear/1");
        assert!(of.is(&["a/b", "1", "linear"]));
        assert!(address("tables/x:1/1").is(&["1", "1"]));
        assert!(!address("tables/x:1/1").is(&["1", "2"]));
    }

    #[test]
    fn points_are_named_by_their_axes() {
        let cell = PlannedCell {
            id: "1".into(),
            axes: vec![
                ("dataset", "wine".into()),
                ("sigma", "1".into()),
                ("gamma", "1".into()),
                ("repeat", "0".into()),
            ],
        };
        let on = |text: &str| address(text).is_on_axes(&cell);
        assert!(on("plots/x:wine/1.0"));
        assert!(on("plots/x:wine/gamma=1/1"));
        assert!(!on("plots/x:wine/gamma=0"));
        assert!(!on("plots/x:wine/wine"));
    }
}
