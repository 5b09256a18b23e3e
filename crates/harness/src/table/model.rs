//! What a table is, whatever it is written as.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A file of `tables/`: a table, or several under one title, and the same numbers as data.
///
/// Titles, headings, labels and entries are plain text. Captions and remarks may have marks: `*emphasis*`, `**strong**`,
/// `` `formula` ``, and in them `x_j` and `x^{2}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Document {
    /// Name of its files, without the ending.
    pub name: String,
    /// The heading.
    pub title: String,
    /// How to read it.
    pub caption: String,
    /// The tables, in their order.
    pub tables: Vec<Table>,
    /// What its CSV holds.
    pub data: Data,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Table {
    /// Its own heading; `None` where it is the only one.
    pub title: Option<String>,
    /// How to read it, beside the document's caption; may be empty.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The lines: an entry a column.
    pub lines: Vec<Vec<Entry>>,
    /// What the table comes to, below it; may be empty.
    pub remark: String,
    /// The notes that entries refer to, counted from 0 here and from 1 where they are shown.
    pub notes: Vec<String>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Column {
    /// What people read.
    pub heading: String,
    /// What programs read: the CSV's name of the same quantity, or a name like it.
    pub key: String,
    /// The side that entries stand on.
    pub align: Align,
    /// The unit of the displayed entries, where they have one.
    pub unit: Option<String>,
}

/// The side that a column's entries stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Align {
    /// Names.
    Left,
    /// Numbers.
    Right,
}

/// What stands on a line in a column.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Entry {
    /// As displayed.
    pub text: String,
    /// The numbers of the text in their order, with all digits, in the unit of the results (errors are fractions); none of a
    /// name or where there is no value.
    pub numbers: Vec<f64>,
    /// Whether it is the best of those it is compared with: its line, or its column.
    pub best: bool,
    /// Its note, an index into the table's.
    pub note: Option<usize>,
    /// The cells it is made from: those that any of these names; empty for names.
    pub cells: Vec<CellsOf>,
}

/// Cells of `cells.parquet` that an entry rests on: those that agree in every axis that is given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellsOf {
    /// The column `dataset`; `None` for all datasets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// The column `method`; `None` for all methods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The column `level`; `None` for all levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<f64>,
    /// Columns that only a study has, each with its value in the shortest form that reads back; `None` where it is null.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub further: BTreeMap<String, Option<String>>,
}

/// The numbers of a document with all digits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Data {
    /// The columns' names.
    pub header: Vec<String>,
    /// The records, each with a field a column.
    pub records: Vec<Vec<String>>,
}

impl Column {
    /// A column of names.
    pub fn names(heading: impl Into<String>, key: impl Into<String>) -> Self {
        Self {
            heading: heading.into(),
            key: key.into(),
            align: Align::Left,
            unit: None,
        }
    }

    /// A column of numbers.
    pub fn numbers(heading: impl Into<String>, key: impl Into<String>) -> Self {
        Self {
            align: Align::Right,
            ..Self::names(heading, key)
        }
    }

    /// The column with a unit.
    #[must_use]
    pub fn in_unit(self, unit: &str) -> Self {
        Self {
            unit: Some(unit.to_owned()),
            ..self
        }
    }
}

impl Entry {
    /// A name, or a number that names the line.
    pub fn name(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// A result: as displayed, with its numbers, and from which cells.
    pub fn result(
        text: impl Into<String>,
        numbers: impl IntoIterator<Item = f64>,
        cells: impl IntoIterator<Item = CellsOf>,
    ) -> Self {
        Self {
            text: text.into(),
            numbers: numbers.into_iter().collect(),
            cells: cells.into_iter().collect(),
            ..Self::default()
        }
    }

    /// The entry with a note of the table's, if it has one.
    #[must_use]
    pub fn noted(self, note: Option<usize>) -> Self {
        Self { note, ..self }
    }
}

impl CellsOf {
    /// The cells of a dataset, method and level.
    pub fn triple(dataset: &str, method: &str, level: f64) -> Self {
        Self {
            dataset: Some(dataset.to_owned()),
            ..Self::over_datasets(method, level)
        }
    }

    /// The cells of a method and level on all datasets.
    pub fn over_datasets(method: &str, level: f64) -> Self {
        Self {
            method: Some(method.to_owned()),
            level: Some(level),
            ..Self::default()
        }
    }

    /// These cells where, besides, `column` of `cells.parquet` has `value`.
    #[must_use]
    pub fn and(mut self, column: &str, value: Option<String>) -> Self {
        self.further.insert(column.to_owned(), value);
        self
    }
}

impl Data {
    /// No record yet.
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Self {
        Self {
            header: header.into_iter().map(Into::into).collect(),
            records: Vec::new(),
        }
    }
}
