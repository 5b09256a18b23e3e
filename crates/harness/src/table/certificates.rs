//! How far the robust error is known: what attack, search, certificate and the paper's bounds say.

use super::caption::{level, repeats};
use super::footnotes::Footnotes;
use super::markdown::{percent, table};
use crate::stats::csv::{number, record};
use crate::stats::{Axes, LevelUnit, Performance, SummaryRow, median};

/// One line of the table, in fractions.
pub(super) struct Bracket<'a> {
    row: &'a SummaryRow,
    /// Attack, exact attack, exact certified, certified, paper's certified; `None` where there is none.
    ends: [Option<f64>; 5],
    /// Certified − attack.
    width: Option<f64>,
}

/// The widths of all datasets for one method and level.
pub(super) struct Widths {
    method: String,
    level: f64,
    median: f64,
    largest: f64,
}

/// A line for each row of the summary.
pub(super) fn brackets(summary: &[SummaryRow]) -> Vec<Bracket<'_>> {
    let bracket = |row| {
        let performance: Option<Performance> = metrics(row);
        let of = |end: fn(&Performance) -> Option<f64>| performance.as_ref().and_then(end);
        Bracket {
            row,
            ends: [
                of(|p| Some(p.attack_error.mean)),
                of(|p| p.exact_attack_error.map(|m| m.mean)),
                of(|p| p.exact_certified_error.map(|m| m.mean)),
                of(|p| Some(p.certified_error.mean)),
                of(|p| p.paper_certified_error.map(|m| m.mean)),
            ],
            width: of(|p| Some(p.certified_error.mean - p.attack_error.mean)),
        }
    };
    summary.iter().map(bracket).collect()
}

fn metrics(row: &SummaryRow) -> Option<Performance> {
    row.metrics.map(|metrics| metrics.performance)
}

/// Median and largest width over the datasets that have one, by method and level.
pub(super) fn widths(brackets: &[Bracket<'_>], axes: &Axes) -> Vec<Widths> {
    let mut widths = Vec::new();
    for (m, method) in axes.methods.iter().enumerate() {
        for (l, &level) in axes.levels.iter().enumerate() {
            let of_datasets: Vec<f64> = (0..axes.datasets.len())
                .filter_map(|d| brackets[axes.index(d, m, l)].width)
                .collect();
            let largest = of_datasets.iter().copied().max_by(f64::total_cmp);
            if let (Some(median), Some(largest)) = (median(&of_datasets), largest) {
                widths.push(Widths {
                    method: method.clone(),
                    level,
                    median,
                    largest,
                });
            }
        }
    }
    widths
}

const ENDS: [&str; 5] = [
    "attack",
    "exact attack",
    "exact certified",
    "certified",
    "paper's certified",
];

/// The table with its heading, its caption and its notes.
pub(super) fn certificates_markdown(
    brackets: &[Bracket<'_>],
    widths: &[Widths],
    summary: &[SummaryRow],
    unit: LevelUnit,
) -> String {
    let shown = |value: Option<f64>| value.map_or_else(|| "—".to_owned(), percent);
    let mut header = vec!["dataset".to_owned(), "method".into(), unit.heading().into()];
    header.extend(ENDS.map(String::from));
    header.push("certified − attack".into());
    let mut footnotes = Footnotes::default();
    let mut lines: Vec<Vec<String>> = Vec::new();
    for bracket in brackets {
        let row = bracket.row;
        let method = row.method.clone() + &footnotes.marker(row.counts);
        let mut line = vec![row.dataset.clone(), method, row.level.to_string()];
        line.extend(bracket.ends.map(shown));
        line.push(shown(bracket.width));
        lines.push(line);
    }
    for (name, of) in OVER_DATASETS {
        for width in widths {
            let mut line = vec![name.into(), width.method.clone(), width.level.to_string()];
            line.extend(ENDS.map(|_| String::new()));
            line.push(percent(of(width)));
            lines.push(line);
        }
    }
    format!(
        "# What is known of the robust error\n\nRobust error in percent, mean over {}. Lower bounds: *attack*, and *exact attack* \
         with the points that a search of the sets broke. Upper bounds: *certified*, *exact certified* without the points that \
         the search certified, and *paper's certified*, by the bounds of Couellan & Jan alone. {} Last lines: median and largest \
         width certified − attack over datasets. —: no such value.\n\n{}{}",
        repeats(summary),
        level(unit),
        table(&header, 2, &lines),
        footnotes.lines(),
    )
}

type OfWidths = fn(&Widths) -> f64;
const OVER_DATASETS: [(&str, OfWidths); 2] = [
    ("median of datasets", |w| w.median),
    ("largest of datasets", |w| w.largest),
];

/// The same in CSV, in fractions with all digits.
pub(super) fn certificates_csv(brackets: &[Bracket<'_>], widths: &[Widths]) -> String {
    let header = [
        "dataset",
        "method",
        "level",
        "ok",
        "cells",
        "attack_error",
        "exact_attack_error",
        "exact_certified_error",
        "certified_error",
        "paper_certified_error",
        "width",
    ];
    let mut csv = record(&header.map(String::from));
    for bracket in brackets {
        let row = bracket.row;
        let mut fields = vec![row.dataset.clone(), row.method.clone()];
        fields.push(number(Some(row.level)));
        fields.extend([row.counts.ok, row.counts.cells].map(|count| count.to_string()));
        fields.extend(bracket.ends.map(number));
        fields.push(number(bracket.width));
        csv += &record(&fields);
    }
    for (name, of) in OVER_DATASETS {
        for width in widths {
            let mut fields = vec![name.to_owned(), width.method.clone()];
            fields.push(number(Some(width.level)));
            fields.extend([const { String::new() }; 7]);
            fields.push(number(Some(of(width))));
            csv += &record(&fields);
        }
    }
    csv
}
