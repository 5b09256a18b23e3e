//! A document as LaTeX, to be read with `\input`.

use super::footnotes::letter;
use super::latex_text::{escaped, marked, number};
use super::model::{Align, Column, Document, Entry, Table};
use std::fmt::Write as _;

/// Tables of more lines may run over pages.
const LINES_OF_A_PAGE: usize = 40;

/// Each table of the document as a float, or over pages where it is long, with `\label{tab:EXPERIMENT-NAME}`; the second of a
/// document with `-2`, and so on.
///
/// A float that is wider than the text is scaled to it. What the preamble must load is said in the first lines.
pub fn latex(document: &Document, experiment: &str) -> String {
    let mut latex = String::from(
        "% Needs in the preamble:\n%   \\usepackage{booktabs,graphicx,longtable}\n\
         % Try it with:\n%   \\documentclass{article}\\usepackage[margin=2cm]{geometry}\\usepackage{booktabs,graphicx,longtable}\n\
         %   \\begin{document}\\input{THIS FILE}\\end{document}\n",
    );
    for (index, part) in document.tables.iter().enumerate() {
        let label = match index {
            0 => format!("tab:{experiment}-{}", document.name),
            _ => format!("tab:{experiment}-{}-{}", document.name, index + 1),
        };
        let caption = caption(document, part, index == 0);
        let heading = format!("\\caption{{{caption}}}\\label{{{label}}}");
        latex += "\n";
        latex += &if part.lines.len() > LINES_OF_A_PAGE {
            over_pages(part, &heading)
        } else {
            float(part, &heading)
        };
    }
    latex
}

/// Title and how to read it; that of the document with its first table only.
fn caption(document: &Document, table: &Table, first: bool) -> String {
    let mut caption = escaped(&document.title);
    if let Some(title) = &table.title {
        let _ = write!(caption, ": {}", escaped(title));
    }
    caption += ".";
    let texts = [document.caption.as_str(), table.caption.as_str()];
    let texts = if first { &texts[..] } else { &texts[1..] };
    for text in texts.iter().filter(|text| !text.is_empty()) {
        let _ = write!(caption, " {}", marked(text));
    }
    caption
}

fn float(table: &Table, heading: &str) -> String {
    format!(
        "\\begin{{table}}[htbp]\n\\centering\\small\\setlength{{\\belowcaptionskip}}{{6pt}}\n{heading}\n\
         \\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n\
         \\begin{{tabular}}{{@{{}}{}@{{}}}}\n\\toprule\n{}\\midrule\n{}\\bottomrule\n\\end{{tabular}}}}\n{}\\end{{table}}\n",
        sides(table),
        header(table),
        body(table),
        below(table),
    )
}

fn over_pages(table: &Table, heading: &str) -> String {
    format!(
        "{{{}\\setlength{{\\tabcolsep}}{{3pt}}\\setlength{{\\LTcapwidth}}{{\\linewidth}}\n\
         \\begin{{longtable}}{{@{{}}{}@{{}}}}\n{heading}\\\\\n\\toprule\n{header}\\midrule\n\\endfirsthead\n\
         \\toprule\n{header}\\midrule\n\\endhead\n\\bottomrule\n\\endlastfoot\n{}\\end{{longtable}}\n{}}}\n",
        size(table),
        sides(table),
        body(table),
        below(table),
        header = header(table),
    )
}

/// The size in which the table's widest line fits the text of an A4 page, as near as characters can be counted.
fn size(table: &Table) -> &'static str {
    let width = |(index, column): (usize, &Column)| {
        let entries = table
            .lines
            .iter()
            .map(|line| line[index].text.chars().count());
        let words = column.heading.split(' ').map(|word| word.chars().count());
        entries.chain(words).max().unwrap_or(0)
    };
    let columns: usize = table.columns.iter().enumerate().map(width).sum();
    match columns + table.columns.len() {
        0..=85 => "\\small",
        86..=95 => "\\footnotesize",
        96..=115 => "\\scriptsize",
        _ => "\\tiny",
    }
}

fn sides(table: &Table) -> String {
    let side = |column: &Column| match column.align {
        Align::Left => 'l',
        Align::Right => 'r',
    };
    table.columns.iter().map(side).collect()
}

/// Headings, each in as many rows as it has words where they are longer than what they head; then units.
fn header(table: &Table) -> String {
    let heading = |(index, column): (usize, &Column)| {
        let lengths = table
            .lines
            .iter()
            .map(|line| line[index].text.chars().count());
        let longest = lengths.max().unwrap_or(0);
        let text = escaped(&column.heading);
        if column.align == Align::Right && column.heading.chars().count() > longest {
            format!("\\shortstack[r]{{{}}}", text.replace(' ', "\\\\"))
        } else {
            text
        }
    };
    let headings: Vec<String> = table.columns.iter().enumerate().map(heading).collect();
    let mut header = headings.join(" & ") + " \\\\\n";
    if table.columns.iter().any(|column| column.unit.is_some()) {
        let unit = |column: &Column| match &column.unit {
            Some(unit) => format!("({})", escaped(unit)),
            None => String::new(),
        };
        let units: Vec<String> = table.columns.iter().map(unit).collect();
        header += &(units.join(" & ") + " \\\\\n");
    }
    header
}

/// The lines, with a space where the first name changes after more than one line.
fn body(table: &Table) -> String {
    let mut body = String::new();
    let first = |index: usize| table.lines[index].first().map(|entry| entry.text.as_str());
    for (index, line) in table.lines.iter().enumerate() {
        let changes = index > 1 && first(index) != first(index - 1);
        if changes && first(index - 1) == first(index - 2) {
            body += "\\addlinespace\n";
        }
        let fields: Vec<String> = line.iter().map(field).collect();
        body += &(fields.join(" & ") + " \\\\\n");
    }
    body
}

fn field(entry: &Entry) -> String {
    let mut text = if entry.cells.is_empty() {
        escaped(&entry.text)
    } else {
        number(&entry.text)
    };
    if entry.best {
        text = format!("\\textbf{{{text}}}");
    }
    if let Some(note) = entry.note {
        let _ = write!(text, "\\textsuperscript{{{}}}", letter(note + 1));
    }
    text
}

/// Remark and notes, a paragraph each.
fn below(table: &Table) -> String {
    let mut below = String::new();
    if !table.remark.is_empty() {
        let _ = writeln!(
            below,
            "\\par\\smallskip\\footnotesize {}\\par",
            marked(&table.remark)
        );
    }
    for (index, note) in table.notes.iter().enumerate() {
        let note = escaped(note);
        let letter = letter(index + 1);
        let _ = writeln!(
            below,
            "\\par\\footnotesize\\textsuperscript{{{letter}}} {note}\\par"
        );
    }
    below
}
