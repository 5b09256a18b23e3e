//! The tables of a report, and the files that can be saved from it.

use crate::table::letter;
use crate::table::{Align, CellsOf, Document, Entry, Table, csv, latex};
use serde::Serialize;
use std::collections::BTreeMap;

/// The documents of a report, and what the page's script knows of them.
#[derive(Debug)]
pub(super) struct Documents<'a> {
    pub(super) shown: Vec<Shown<'a>>,
    /// The cells that entries rest on, each list once: entries have their place here.
    pub(super) rests: Vec<&'a [CellsOf]>,
    /// The text of each file by its name.
    pub(super) files: BTreeMap<String, String>,
}

/// A document as the template shows it.
#[derive(Debug, Serialize)]
pub(super) struct Shown<'a> {
    name: &'a str,
    title: &'a str,
    caption: &'a str,
    tables: Vec<ShownTable<'a>>,
}

#[derive(Debug, Serialize)]
struct ShownTable<'a> {
    title: Option<&'a str>,
    caption: &'a str,
    columns: Vec<ShownColumn<'a>>,
    lines: Vec<Vec<ShownEntry<'a>>>,
    remark: &'a str,
    /// Each with its letter.
    notes: Vec<(String, &'a str)>,
    /// Whether some entry is the best of its line.
    best: bool,
}

#[derive(Debug, Serialize)]
struct ShownColumn<'a> {
    heading: &'a str,
    key: &'a str,
    side: &'static str,
    unit: Option<&'a str>,
    /// Whether lines can be chosen by it.
    facet: bool,
}

#[derive(Debug, Serialize)]
struct ShownEntry<'a> {
    text: &'a str,
    side: &'static str,
    /// All digits, with spaces between.
    numbers: String,
    best: bool,
    /// The note's letter.
    note: Option<String>,
    rests: Option<usize>,
}

/// Columns that lines can be chosen by.
const FACETS: [&str; 5] = ["dataset", "method", "level", "map", "bound"];

/// What a report shows of `documents` of the run `experiment`.
pub(super) fn documents<'a>(documents: &'a [Document], experiment: &str) -> Documents<'a> {
    let mut rests = Rests::default();
    let shown = documents
        .iter()
        .map(|document| Shown {
            name: &document.name,
            title: &document.title,
            caption: &document.caption,
            tables: document
                .tables
                .iter()
                .map(|t| table(t, &mut rests))
                .collect(),
        })
        .collect();
    let files = documents.iter().flat_map(|document| {
        let name = &document.name;
        [
            (format!("{name}.csv"), csv(&document.data)),
            (format!("{name}.tex"), latex(document, experiment)),
        ]
    });
    Documents {
        shown,
        files: files.collect(),
        rests: rests.lists,
    }
}

/// Lists of cells and their places.
#[derive(Default)]
struct Rests<'a> {
    lists: Vec<&'a [CellsOf]>,
    places: BTreeMap<String, usize>,
}

impl<'a> Rests<'a> {
    fn place(&mut self, cells: &'a [CellsOf]) -> Option<usize> {
        if cells.is_empty() {
            return None;
        }
        let key = serde_json::to_string(cells).expect("texts and numbers have a JSON form");
        let place = *self.places.entry(key).or_insert(self.lists.len());
        if place == self.lists.len() {
            self.lists.push(cells);
        }
        Some(place)
    }
}

fn table<'a>(table: &'a Table, rests: &mut Rests<'a>) -> ShownTable<'a> {
    let sides: Vec<&str> = table.columns.iter().map(|c| side(c.align)).collect();
    let columns = table.columns.iter().map(|column| ShownColumn {
        heading: &column.heading,
        key: &column.key,
        side: side(column.align),
        unit: column.unit.as_deref(),
        facet: FACETS.contains(&column.key.as_str()),
    });
    let notes = table.notes.iter().enumerate();
    ShownTable {
        title: table.title.as_deref(),
        caption: &table.caption,
        columns: columns.collect(),
        lines: table.lines.iter().map(|l| line(l, &sides, rests)).collect(),
        remark: &table.remark,
        notes: notes
            .map(|(index, note)| (letter(index + 1), note.as_str()))
            .collect(),
        best: table.lines.iter().flatten().any(|entry| entry.best),
    }
}

fn line<'a>(
    line: &'a [Entry],
    sides: &[&'static str],
    rests: &mut Rests<'a>,
) -> Vec<ShownEntry<'a>> {
    line.iter()
        .zip(sides)
        .map(|(entry, side)| {
            let numbers: Vec<String> = entry.numbers.iter().map(|n| format!("{n:?}")).collect();
            ShownEntry {
                text: &entry.text,
                side,
                numbers: numbers.join(" "),
                best: entry.best,
                note: entry.note.map(|note| letter(note + 1)),
                rests: rests.place(&entry.cells),
            }
        })
        .collect()
}

fn side(align: Align) -> &'static str {
    match align {
        Align::Left => "left",
        Align::Right => "right",
    }
}
