//! The tables of a report, and the files that can be saved from it.

use crate::table::letter;
use crate::table::{Align, CellsOf, Document, Entry, Table, csv, latex};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write as _;

/// The documents of a report, and what the page's script knows of them.
#[derive(Debug)]
pub(super) struct Documents<'a> {
    pub(super) shown: Vec<Shown<'a>>,
    /// The cells that entries rest on, each list once: entries have their place here.
    pub(super) rests: Vec<&'a [CellsOf]>,
    /// Each file by its name: its text as zlib data in Base64.
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
    /// Whether some entry is the best of those it is compared with: its line, or its column.
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
        let forms = [
            ("csv", csv(&document.data)),
            ("tex", latex(document, experiment)),
        ];
        forms.map(|(ending, text)| (format!("{}.{ending}", document.name), packed(&text)))
    });
    Documents {
        shown,
        files: files.collect(),
        rests: rests.lists,
    }
}

fn packed(text: &str) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(text.as_bytes());
    let bytes = packed.and_then(|()| encoder.finish());
    BASE64_STANDARD.encode(bytes.expect("memory can be written to"))
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

#[cfg(test)]
mod tests {
    use super::documents;
    use crate::report::template::environment;
    use crate::table::{CellsOf, Column, Data, Document, Entry, Table, csv};
    use base64::Engine as _;
    use base64::prelude::BASE64_STANDARD;
    use flate2::read::ZlibDecoder;
    use minijinja::{context, value::Serde};
    use std::io::Read as _;

    /// Everything that means something to HTML.
    const NASTY: &str = "a&b<i>c</td>\"d'e`f`{{ 1 }}{% g %}&amp;";

    fn nasty() -> Document {
        let cells = |level| CellsOf::triple(NASTY, "Γ", level).and("n", None);
        let line = |name: &str, level: f64| {
            vec![
                Entry::name(name),
                Entry {
                    best: true,
                    ..Entry::result("96.5 ± 1.3", [0.965, 0.1 + 0.2], [cells(level)])
                },
                Entry::result("—", [], [cells(0.1)]).noted(Some(0)),
            ]
        };
        let table = Table {
            columns: vec![
                Column::names(NASTY, NASTY),
                Column::numbers("b", "b").in_unit("%"),
                Column::numbers("c", "c"),
            ],
            lines: vec![line(NASTY, 0.1), line("x", 0.2)],
            notes: vec![NASTY.to_owned()],
            ..Table::default()
        };
        Document {
            name: "nasty".to_owned(),
            title: NASTY.to_owned(),
            caption: "*x* < `γ_max`".to_owned(),
            tables: vec![table],
            data: Data {
                header: vec![NASTY.to_owned()],
                records: vec![vec!["1,\n2".to_owned()]],
            },
        }
    }

    #[test]
    fn tables_give_back_texts_numbers_and_cells() {
        let nasty = [nasty()];
        let made = documents(&nasty, "ex");
        let source = "{% from \"tables.html.j2\" import tables %}{{ tables(documents) }}";
        let html = environment()
            .unwrap()
            .render_named_str(
                "test.html",
                source,
                context! { documents => Serde(&made.shown) },
            )
            .unwrap();
        let html = html
            .replace(" hidden", "")
            .replace(" data-facet", "")
            .replace(" download=", " d=");
        let page = roxmltree::Document::parse(&html).unwrap();
        let text = |node: roxmltree::Node<'_, '_>| -> String {
            let all = node
                .descendants()
                .filter(|n| n.is_text() && !n.ancestors().any(|a| a.has_tag_name("sup")));
            all.filter_map(|n| n.text()).collect()
        };
        let fields: Vec<_> = page
            .descendants()
            .filter(|n| n.has_tag_name("td"))
            .collect();
        let entries: Vec<&Entry> = nasty[0].tables[0].lines.iter().flatten().collect();
        assert_eq!(fields.len(), entries.len());
        for (field, entry) in fields.into_iter().zip(entries) {
            assert_eq!(text(field), entry.text);
            let numbers = field
                .attribute("data-numbers")
                .unwrap_or_default()
                .split_whitespace();
            let numbers: Vec<f64> = numbers.map(|n| n.parse().unwrap()).collect();
            assert_eq!(numbers, entry.numbers);
            let rests = field.attribute("data-rests");
            let rests = rests.map_or(&[][..], |place| made.rests[place.parse::<usize>().unwrap()]);
            assert_eq!(rests, entry.cells);
        }
        // Each list once.
        assert_eq!(made.rests.len(), 2);
        let heading = page.descendants().find(|n| n.has_tag_name("h3")).unwrap();
        assert_eq!(text(heading), NASTY);
        assert!(
            html.contains("<em>x</em> &lt; <code>γ</code><sub>max</sub>"),
            "{html}"
        );
    }

    #[test]
    fn files_unpack_to_their_text() {
        let nasty = [nasty()];
        let made = documents(&nasty, "ex");
        let bytes = BASE64_STANDARD.decode(&made.files["nasty.csv"]).unwrap();
        let mut text = String::new();
        ZlibDecoder::new(&bytes[..])
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, csv(&nasty[0].data));
    }
}
