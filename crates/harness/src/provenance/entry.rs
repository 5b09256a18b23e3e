//! An entry of a table by the names of its line and column.

use super::Address;
use crate::table::{CellsOf, Column, Document, Entry};
use std::collections::{BTreeMap, BTreeSet};

/// How many addresses a message lists.
const LISTED: usize = 12;

/// An entry, and where it stands.
pub(crate) struct FoundEntry<'a> {
    pub(crate) document: &'a Document,
    pub(crate) column: &'a Column,
    pub(crate) entry: &'a Entry,
    line: Vec<&'a str>,
    /// The title of its table, where another table of the document has such an entry too.
    title: Option<&'a str>,
}

/// Why no one entry is meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EntryError {
    /// There is no such table.
    #[error("there is no table `{name}`\n  = help: there are {known}")]
    NoTable {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// It has no such entry.
    #[error(
        "tables/{table} has no entry `{place}`\n  = help: its entries are named by line and column: {known}"
    )]
    NoEntry {
        /// The table.
        table: String,
        /// What was asked for.
        place: String,
        /// Some of what there is.
        known: String,
    },
    /// It has several.
    #[error("tables/{table} has several entries `{place}`\n  = help: they are {known}")]
    Several {
        /// The table.
        table: String,
        /// What was asked for.
        place: String,
        /// What there is.
        known: String,
    },
}

impl FoundEntry<'_> {
    /// The names of its line and column.
    pub(crate) fn place(&self) -> String {
        self.names(&self.column.heading).join("/")
    }

    /// The names of its table, if need be, its line, and `column`.
    fn names<'b>(&'b self, column: &'b str) -> Vec<&'b str> {
        let line = self.line.iter().copied();
        self.title.into_iter().chain(line).chain([column]).collect()
    }

    /// Whether it is the average over all datasets that lines of metrics end with.
    pub(crate) fn is_average(&self) -> bool {
        let metric = ["accuracy", "noisy_accuracy", "robust_error"];
        let all = |cells: &CellsOf| cells.dataset.is_none();
        metric.contains(&self.document.name.as_str()) && self.entry.cells.iter().all(all)
    }

    /// Whether `address` names it: its line, and its column by heading, key or a column of the CSV file.
    fn is_at(&self, address: &Address) -> bool {
        let heading = self.column.heading.as_str();
        let of_csv = self.document.data.header.iter().filter(|name| {
            let rest = name.strip_prefix(heading);
            rest.is_some_and(|rest| rest.starts_with('_'))
        });
        let columns = [heading, self.column.key.as_str()].into_iter();
        columns
            .chain(of_csv.map(String::as_str))
            .any(|column| address.is(&self.names(column)))
    }
}

/// The entry of one of `documents` at `address`.
pub(crate) fn find_entry<'a>(
    documents: &'a [Document],
    address: &Address,
) -> Result<FoundEntry<'a>, EntryError> {
    let document = documents.iter().find(|d| d.name == address.name);
    let document = document.ok_or_else(|| EntryError::NoTable {
        name: address.name.clone(),
        known: documents
            .iter()
            .map(|d| d.name.as_str())
            .collect::<Vec<_>>()
            .join(", "),
    })?;
    let place = || address.parts.join("/");
    let all = entries(document);
    let mut exact: Vec<&FoundEntry<'_>> = all.iter().filter(|e| e.is_at(address)).collect();
    // Names may be in any order; where lines and columns share them, the table's own counts.
    let own = |entry: &FoundEntry<'_>| entry.names(&entry.column.heading) == address.parts;
    if exact.len() > 1 && exact.iter().any(|entry| own(entry)) {
        exact.retain(|entry| own(entry));
    }
    let first = exact.pop();
    match first {
        Some(_) if !exact.is_empty() => {
            exact.extend(first);
            Err(EntryError::Several {
                table: document.name.clone(),
                place: place(),
                known: listed(&exact),
            })
        }
        Some(found) => Ok(FoundEntry {
            document,
            column: found.column,
            entry: found.entry,
            line: found.line.clone(),
            title: found.title,
        }),
        None => {
            // What has the parts that were given, if anything has.
            let near =
                |entry: &&FoundEntry<'_>| address.is_within(&entry.names(&entry.column.heading));
            let mut known: Vec<&FoundEntry<'_>> = all.iter().filter(near).collect();
            if known.is_empty() {
                known = all.iter().collect();
            }
            Err(EntryError::NoEntry {
                table: document.name.clone(),
                place: place(),
                known: listed(&known),
            })
        }
    }
}

/// The entries of `document` that rest on cells.
fn entries(document: &Document) -> Vec<FoundEntry<'_>> {
    let mut found: Vec<(usize, FoundEntry<'_>)> = Vec::new();
    for (index, table) in document.tables.iter().enumerate() {
        for line in &table.lines {
            let names = line.iter().filter(|entry| entry.cells.is_empty());
            let names: Vec<&str> = names.map(|entry| entry.text.as_str()).collect();
            for (entry, column) in line.iter().zip(&table.columns) {
                if !entry.cells.is_empty() {
                    let entry = FoundEntry {
                        document,
                        column,
                        entry,
                        line: names.clone(),
                        title: None,
                    };
                    found.push((index, entry));
                }
            }
        }
    }
    let key = |entry: &FoundEntry<'_>| entry.names(&entry.column.heading).join("/");
    let mut tables: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (index, entry) in &found {
        tables.entry(key(entry)).or_default().insert(*index);
    }
    for (index, entry) in &mut found {
        if tables
            .get(&key(entry))
            .is_some_and(|tables| tables.len() > 1)
        {
            entry.title = document.tables[*index].title.as_deref();
        }
    }
    found.into_iter().map(|(_, entry)| entry).collect()
}

fn listed(entries: &[&FoundEntry<'_>]) -> String {
    let places = entries.iter().take(LISTED).map(|entry| entry.place());
    let more = match entries.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    places.collect::<Vec<_>>().join(", ") + &more
}

/// The columns of `cells.parquet` and the values in them that `cells` ask for.
pub(crate) fn columns_of(cells: &CellsOf) -> Vec<(String, Option<String>)> {
    let axes = [
        ("dataset", cells.dataset.clone()),
        ("method", cells.method.clone()),
        ("level", cells.level.map(|level| level.to_string())),
    ];
    let named = axes.into_iter().filter(|(_, value)| value.is_some());
    let named = named.map(|(column, value)| (column.to_owned(), value));
    let further = cells.further.iter();
    named
        .chain(further.map(|(column, value)| (column.clone(), value.clone())))
        .collect()
}
