//! Markdown that also reads well as plain text.

use super::footnotes::superscript;
use super::model::{Align, Column, Document, Entry, Table};

/// The document: headings, captions, tables, remarks and notes, a blank line between them.
pub fn markdown(document: &Document) -> String {
    let mut blocks = vec![format!("# {}", document.title), document.caption.clone()];
    for part in &document.tables {
        blocks.extend(part.title.iter().map(|title| format!("## {title}")));
        blocks.extend([part.caption.clone(), table(part), part.remark.clone()]);
        let notes = part.notes.iter().enumerate();
        blocks.extend(notes.map(|(index, note)| format!("{} {note}", superscript(index + 1))));
    }
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n\n") + "\n"
}

/// The table without its last line end.
pub(crate) fn table(table: &Table) -> String {
    let header: Vec<String> = table
        .columns
        .iter()
        .map(|c| escape_name(&c.heading))
        .collect();
    let lines: Vec<Vec<String>> = table
        .lines
        .iter()
        .map(|line| line.iter().map(field).collect())
        .collect();
    let widths: Vec<usize> = (0..header.len())
        .map(|column| {
            let fields = lines.iter().chain([&header]).map(|line| &line[column]);
            fields
                .map(|field| field.chars().count())
                .fold(3, usize::max)
        })
        .collect();
    let pad = |line: &Vec<String>| {
        let fields = line.iter().zip(&widths).zip(&table.columns);
        let padded = fields.map(|((field, &width), column)| match column.align {
            Align::Left => format!(" {field:<width$} |"),
            Align::Right => format!(" {field:>width$} |"),
        });
        format!("|{}", padded.collect::<String>())
    };
    let rule = |(column, &width): (&Column, &usize)| {
        let dashes = "-".repeat(width - 1);
        match column.align {
            Align::Left => format!(":{dashes}"),
            Align::Right => format!("{dashes}:"),
        }
    };
    let rule: Vec<String> = table.columns.iter().zip(&widths).map(rule).collect();
    let all = [&header, &rule].into_iter().chain(&lines);
    all.map(pad).collect::<Vec<_>>().join("\n")
}

fn field(entry: &Entry) -> String {
    let escape = if entry.cells.is_empty() {
        escape_name
    } else {
        escape
    };
    let mut text = escape(&entry.text);
    if entry.best {
        text = format!("**{text}**");
    }
    let note = entry.note.map(|index| superscript(index + 1));
    text + &note.unwrap_or_default()
}

/// Without what Markdown would take for the end of a field or the start of a tag.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "\\<")
}

/// A name may have marks besides.
fn escape_name(text: &str) -> String {
    escape(text).replace('*', "\\*").replace('`', "\\`")
}
