//! How far the robust error is known: what attack, search, certificate and the paper's bounds say.

use super::caption::{level, repeats};
use super::footnotes::Footnotes;
use super::model::{CellsOf, Column, Data, Document, Entry, Table};
use super::shown::{NONE, percent};
use super::widths::{WIDTHS, Widths, width};
use crate::stats::csv::number;
use crate::stats::{LevelUnit, Performance, SummaryRow};

/// An end of what is known: its heading, its name in the CSV, and its mean over repeats.
type End = (&'static str, &'static str, fn(&Performance) -> Option<f64>);

const ENDS: [End; 5] = [
    ("attack", "attack_error", |p| Some(p.attack_error.mean)),
    ("exact attack", "exact_attack_error", |p| {
        Some(p.exact_attack_error?.mean)
    }),
    ("exact certified", "exact_certified_error", |p| {
        Some(p.exact_certified_error?.mean)
    }),
    ("certified", "certified_error", |p| {
        Some(p.certified_error.mean)
    }),
    ("paper's certified", "paper_certified_error", |p| {
        Some(p.paper_certified_error?.mean)
    }),
];

fn performance(row: &SummaryRow) -> Option<Performance> {
    row.metrics.map(|metrics| metrics.performance)
}

/// A line for each row of the summary; with more datasets than one, their widths by method and level.
pub(super) fn certificates_table(
    summary: &[SummaryRow],
    widths: &[Widths],
    unit: LevelUnit,
) -> Document {
    let mut caption = format!(
        "Robust error in percent, mean over {}. Lower bounds: *attack*, and *exact attack* \
         with the points that a search of the sets broke. Upper bounds: *certified*, *exact certified* without the points that \
         the search certified, and *paper's certified*, by the bounds of Couellan & Jan alone. {} —: no such value. *Width*: \
         certified − attack; *exact width*: exact certified − exact attack; *paper's width*: paper's certified − attack.",
        repeats(summary),
        level(unit),
    );
    let mut tables = vec![brackets(summary, unit)];
    if !widths.is_empty() {
        caption += " The second table has the median and the largest width over the datasets that have one.";
        tables[0].title = Some("Of each dataset".to_owned());
        tables.push(over_datasets(widths, unit));
    }
    Document {
        name: "certificates".to_owned(),
        title: "What is known of the robust error".to_owned(),
        caption,
        tables,
        data: data(summary, widths),
    }
}

fn brackets(summary: &[SummaryRow], unit: LevelUnit) -> Table {
    let shown_widths: Vec<_> = WIDTHS
        .iter()
        .filter(|kind| summary.iter().any(|row| width(kind, row).is_some()))
        .collect();
    let ends = ENDS
        .iter()
        .map(|(heading, key, _)| Column::numbers(*heading, *key));
    let widths = shown_widths
        .iter()
        .map(|kind| Column::numbers(kind.heading, kind.key));
    let mut footnotes = Footnotes::default();
    let line = |row: &SummaryRow| {
        let cells = || CellsOf::triple(&row.dataset, &row.method, row.level);
        let error = |value: Option<f64>| {
            Entry::result(
                value.map_or_else(|| NONE.to_owned(), percent),
                value,
                [cells()],
            )
        };
        let mut line = vec![
            Entry::name(&row.dataset),
            Entry::name(&row.method).noted(footnotes.of(row.counts)),
            Entry::name(row.level.to_string()),
        ];
        let performance = performance(row);
        line.extend(ENDS.map(|(_, _, end)| error(performance.as_ref().and_then(end))));
        line.extend(shown_widths.iter().map(|kind| error(width(kind, row))));
        line
    };
    let lines = summary.iter().map(line).collect();
    let names = [
        Column::names("dataset", "dataset"),
        Column::names("method", "method"),
        Column::numbers(unit.heading(), "level"),
    ];
    let results = ends.chain(widths).map(|column| column.in_unit("%"));
    Table {
        columns: names.into_iter().chain(results).collect(),
        lines,
        notes: footnotes.into_notes(),
        ..Table::default()
    }
}

fn over_datasets(widths: &[Widths], unit: LevelUnit) -> Table {
    let known = |k: &usize| widths.iter().any(|widths| widths.of[*k].is_some());
    let shown: Vec<usize> = (0..WIDTHS.len()).filter(known).collect();
    let mut columns = vec![
        Column::names("method", "method"),
        Column::numbers(unit.heading(), "level"),
    ];
    for &k in &shown {
        for which in ["median", "largest"] {
            let heading = format!("{which} {}", WIDTHS[k].heading);
            let key = format!("{which}_{}", WIDTHS[k].key);
            columns.push(Column::numbers(heading, key).in_unit("%"));
        }
    }
    let mut footnotes = Footnotes::default();
    let line = |widths: &Widths| {
        let mut line = vec![
            Entry::name(&widths.method).noted(footnotes.of(widths.counts)),
            Entry::name(widths.level.to_string()),
        ];
        for &k in &shown {
            let of = widths.of[k];
            for value in [of.map(|of| of.median), of.map(|of| of.largest)] {
                let cells = CellsOf::over_datasets(&widths.method, widths.level);
                let text = value.map_or_else(|| NONE.to_owned(), percent);
                line.push(Entry::result(text, value, [cells]));
            }
        }
        line
    };
    Table {
        title: Some("Widths over datasets".to_owned()),
        columns,
        lines: widths.iter().map(line).collect(),
        notes: footnotes.into_notes(),
        ..Table::default()
    }
}

/// In fractions.
fn data(summary: &[SummaryRow], widths: &[Widths]) -> Data {
    let mut data = Data::new(["dataset", "method", "level", "ok", "cells"]);
    let names = ENDS.iter().map(|(_, key, _)| *key);
    let names = names.chain(WIDTHS.iter().map(|kind| kind.key));
    data.header.extend(names.map(str::to_owned));
    for row in summary {
        let mut fields = vec![row.dataset.clone(), row.method.clone()];
        fields.push(number(Some(row.level)));
        fields.extend([row.counts.ok, row.counts.cells].map(|count| count.to_string()));
        let performance = performance(row);
        fields.extend(ENDS.map(|(_, _, end)| number(performance.as_ref().and_then(end))));
        fields.extend(WIDTHS.iter().map(|kind| number(width(kind, row))));
        data.records.push(fields);
    }
    for name in ["median of datasets", "largest of datasets"] {
        for widths in widths {
            let mut fields = vec![name.to_owned(), widths.method.clone()];
            fields.push(number(Some(widths.level)));
            fields.extend([const { String::new() }; 2 + ENDS.len()]);
            for of in widths.of {
                let value = of.map(|of| match name {
                    "median of datasets" => of.median,
                    _ => of.largest,
                });
                fields.push(number(value));
            }
            data.records.push(fields);
        }
    }
    data
}
