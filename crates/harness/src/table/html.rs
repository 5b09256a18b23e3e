//! A document as a piece of HTML.

use super::footnotes::letter;
use super::marks::{Mark, pieces};
use super::model::{Align, Column, Document, Entry, Table};
use std::fmt::Write as _;

/// A `section` with the document's name as its id, heading and caption, and its tables.
///
/// Every entry with results has its numbers (`data-numbers`, with spaces between) and the cells it rests on (`data-cells`, a JSON list
/// of [`CellsOf`](super::CellsOf)).
pub fn html(document: &Document) -> String {
    let mut html = format!(
        "<section id=\"{}\">\n<h2>{}</h2>\n",
        escaped(&document.name),
        escaped(&document.title)
    );
    html += &paragraph("caption", &document.caption);
    for part in &document.tables {
        if let Some(title) = &part.title {
            let _ = writeln!(html, "<h3>{}</h3>", escaped(title));
        }
        html += &paragraph("caption", &part.caption);
        html += &table(part);
        html += &paragraph("remark", &part.remark);
        for (index, note) in part.notes.iter().enumerate() {
            let note = escaped(note);
            let _ = writeln!(
                html,
                "<p class=\"note\"><sup>{}</sup> {note}</p>",
                letter(index + 1)
            );
        }
    }
    html + "</section>\n"
}

/// A marked text as a paragraph of a class; nothing for an empty one.
fn paragraph(class: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<p class=\"{class}\">{}</p>\n", marked(text))
}

/// A marked text as HTML.
pub(crate) fn marked(text: &str) -> String {
    let piece = |(mark, text): (Mark, &str)| {
        let text = escaped(text);
        match mark {
            Mark::Plain => text,
            Mark::Emphasis => format!("<em>{text}</em>"),
            Mark::Strong => format!("<strong>{text}</strong>"),
            Mark::Formula => format!("<code>{text}</code>"),
            Mark::Subscript => format!("<sub>{text}</sub>"),
            Mark::Superscript => format!("<sup>{text}</sup>"),
        }
    };
    pieces(text).into_iter().map(piece).collect()
}

fn table(table: &Table) -> String {
    let heading = |column: &Column| {
        let unit = column.unit.as_ref();
        let unit = unit.map_or_else(String::new, |unit| {
            format!(" <span class=\"unit\">({})</span>", escaped(unit))
        });
        format!(
            "<th scope=\"col\" class=\"{}\" data-key=\"{}\">{}{unit}</th>",
            side(column),
            escaped(&column.key),
            escaped(&column.heading)
        )
    };
    let line = |line: &Vec<Entry>| {
        let fields = line.iter().zip(&table.columns);
        let fields: String = fields.map(|(entry, column)| field(entry, column)).collect();
        format!("<tr>{fields}</tr>\n")
    };
    format!(
        "<table>\n<thead>\n<tr>{}</tr>\n</thead>\n<tbody>\n{}</tbody>\n</table>\n",
        table.columns.iter().map(heading).collect::<String>(),
        table.lines.iter().map(line).collect::<String>()
    )
}

fn field(entry: &Entry, column: &Column) -> String {
    let mut attributes = format!(" class=\"{}\"", side(column));
    if !entry.numbers.is_empty() {
        let numbers: Vec<String> = entry.numbers.iter().map(|n| format!("{n:?}")).collect();
        let _ = write!(attributes, " data-numbers=\"{}\"", numbers.join(" "));
    }
    if !entry.cells.is_empty() {
        let json = serde_json::to_string(&entry.cells).expect("texts and numbers have a JSON form");
        let _ = write!(attributes, " data-cells=\"{}\"", escaped(&json));
    }
    let mut text = escaped(&entry.text);
    if entry.best {
        text = format!("<strong>{text}</strong>");
    }
    if let Some(note) = entry.note {
        let _ = write!(text, "<sup>{}</sup>", letter(note + 1));
    }
    format!("<td{attributes}>{text}</td>")
}

fn side(column: &Column) -> &'static str {
    match column.align {
        Align::Left => "left",
        Align::Right => "right",
    }
}

/// A text that is no markup, in an element or in quotes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
