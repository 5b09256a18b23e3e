//! A scan of a CSV file by lines, before it is split into columns: the splitter fills short rows and joins
//! lines without a word, so shape is checked here.

use super::super::DataError;
use std::collections::BTreeMap;
use std::path::Path;

/// The shape of a CSV file in which every line is one row with as many cells as the header.
pub(super) struct CsvLines<'a> {
    /// The text without a byte-order mark and without blank lines at its end.
    pub(super) text: &'a str,
    /// The columns' names, distinct and not empty.
    pub(super) header: Vec<String>,
    /// The number of lines below the header; at least one.
    pub(super) rows: usize,
}

impl<'a> CsvLines<'a> {
    /// Scans `bytes`, the content of `path`.
    pub(super) fn scan(path: &Path, bytes: &'a [u8]) -> Result<Self, DataError> {
        let text = utf8(path, bytes)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_end();
        let mut lines = text.lines().enumerate();
        let empty = || DataError::EmptyFile {
            path: path.to_owned(),
        };
        let (_, first) = lines.next().ok_or_else(empty)?;
        let header = header(path, first)?;
        let mut rows = 0;
        for (index, line) in lines {
            let cells = cells(line).map_err(|problem| at_line(path, index, problem))?;
            if cells.len() != header.len() || line.trim().is_empty() {
                let problem = describe_ragged(line, cells.len(), header.len());
                return Err(at_line(path, index, &problem));
            }
            rows += 1;
        }
        if rows == 0 {
            return Err(DataError::NoRows {
                path: path.to_owned(),
            });
        }
        Ok(Self { text, header, rows })
    }
}

/// The text in `bytes`.
pub(super) fn utf8<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str, DataError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.split(|byte| *byte == b'\n').count() - 1;
        at_line(path, line, "not UTF-8 text: save the file as UTF-8")
    })
}

/// The distinct names in the header line.
pub(super) fn header(path: &Path, line: &str) -> Result<Vec<String>, DataError> {
    let cells = cells(line).map_err(|problem| at_line(path, 0, problem))?;
    let mut positions = BTreeMap::new();
    let mut names = Vec::with_capacity(cells.len());
    for (cell, position) in cells.iter().zip(1..) {
        let name = unquoted(cell);
        if name.is_empty() {
            return Err(DataError::UnnamedColumn {
                path: path.to_owned(),
                position,
            });
        }
        if let Some(first) = positions.insert(name.clone(), position) {
            return Err(DataError::DuplicateColumn {
                path: path.to_owned(),
                column: name,
                first,
                second: position,
            });
        }
        names.push(name);
    }
    Ok(names)
}

/// The cells of a line, quotes included, or what is wrong with its quotes.
pub(super) fn cells(line: &str) -> Result<Vec<&str>, &'static str> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let end = if rest.starts_with('"') {
            quoted_length(rest)?
        } else {
            rest.find(',').unwrap_or(rest.len())
        };
        let (cell, tail) = rest.split_at(end);
        if !cell.starts_with('"') && cell.contains('"') {
            return Err("a quotation mark inside a cell that does not begin with one");
        }
        cells.push(cell);
        match tail.strip_prefix(',') {
            Some(next) => rest = next,
            None if tail.is_empty() => return Ok(cells),
            None => return Err("text after the closing quotation mark of a cell"),
        }
    }
}

/// The length of the quoted cell that `text` begins with.
fn quoted_length(text: &str) -> Result<usize, &'static str> {
    let mut from = 1;
    loop {
        let quote = text[from..]
            .find('"')
            .ok_or("a quoted cell is not closed on its line")?;
        from += quote + 1;
        // Two quotation marks stand for one.
        if text[from..].starts_with('"') {
            from += 1;
        } else {
            return Ok(from);
        }
    }
}

/// What a cell says: without its quotes and the blanks around it.
pub(super) fn unquoted(cell: &str) -> String {
    match cell.strip_prefix('"').and_then(|c| c.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\"").trim().to_owned(),
        None => cell.trim().to_owned(),
    }
}

pub(super) fn describe_ragged(line: &str, found: usize, expected: usize) -> String {
    if line.trim().is_empty() {
        return "the line is blank: remove it".to_owned();
    }
    let cells = if found == 1 { "cell" } else { "cells" };
    let separator = if found == 1 && line.contains([';', '\t']) {
        " (cells are separated by commas)"
    } else {
        ""
    };
    format!("expected {expected} cells, as in the header, found {found} {cells}{separator}")
}

/// An error about the line with this index, from 0.
pub(super) fn at_line(path: &Path, index: usize, problem: &str) -> DataError {
    DataError::Line {
        path: path.to_owned(),
        line: index + 1,
        problem: problem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{cells, unquoted};

    #[test]
    fn quotes_protect_commas_and_themselves() {
        let found = cells(r#"a,"b,c","say ""x""",,"#).unwrap();
        assert_eq!(found, ["a", r#""b,c""#, r#""say ""x""""#, "", ""]);
        assert_eq!(unquoted(found[2]), r#"say "x""#);
        assert_eq!(cells("").unwrap(), [""]);
    }

    #[test]
    fn loose_quotes_are_refused() {
        for line in [r#"a"b,c"#, r#""a"b,c"#, r#""a,b"#, r#"""""#] {
            assert!(cells(line).is_err(), "{line}");
        }
    }
}
