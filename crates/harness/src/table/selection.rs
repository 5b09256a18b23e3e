//! What was selected, and how well it was solved.

use super::caption::level;
use super::footnotes::Footnotes;
use super::model::{CellsOf, Column, Data, Document, Entry, Table};
use super::shown::{NONE, scientific, three_digits};
use crate::stats::csv::number;
use crate::stats::{Counts, Groups, LevelUnit, SummaryRow, median};
use crate::store::StoreError;

/// One method at one level, over all datasets and repeats.
pub(super) struct Selection {
    method: String,
    level: f64,
    counts: Counts,
    lambda_median: Option<f64>,
    sigma_median: Option<f64>,
    relative_gap_max: Option<f64>,
}

/// Selections for every method and level of the axes, in that nesting.
///
/// # Errors
/// [`StoreError`] if the cells cannot be read.
pub(super) fn selections(
    groups: &Groups<'_>,
    summary: &[SummaryRow],
) -> Result<Vec<Selection>, StoreError> {
    let axes = groups.axes;
    let [lambdas, sigmas] = [groups.numbers("lambda")?, groups.numbers("sigma")?];
    let mut selections = Vec::new();
    for (m, method) in axes.methods.iter().enumerate() {
        for (l, &level) in axes.levels.iter().enumerate() {
            let triples = || (0..axes.datasets.len()).map(|d| axes.index(d, m, l));
            let median_of = |numbers| {
                let values = triples().flat_map(|triple| groups.some(triple, numbers));
                median(&values.collect::<Vec<f64>>())
            };
            let metrics = triples().filter_map(|triple| summary[triple].metrics);
            selections.push(Selection {
                method: method.clone(),
                level,
                counts: triples()
                    .map(|triple| summary[triple].counts)
                    .fold(Counts::default(), Counts::plus),
                lambda_median: median_of(&lambdas),
                sigma_median: median_of(&sigmas),
                relative_gap_max: metrics.map(|m| m.relative_gap_max).max_by(f64::total_cmp),
            });
        }
    }
    Ok(selections)
}

/// A line for each selection.
pub(super) fn selection_table(selections: &[Selection], unit: LevelUnit) -> Document {
    let mut footnotes = Footnotes::default();
    let line = |s: &Selection| {
        let result = |value: Option<f64>, show: fn(f64) -> String| {
            let cells = CellsOf::over_datasets(&s.method, s.level);
            Entry::result(value.map_or_else(|| NONE.to_owned(), show), value, [cells])
        };
        vec![
            Entry::name(&s.method).noted(footnotes.of(s.counts)),
            Entry::name(s.level.to_string()),
            result(s.lambda_median, three_digits),
            result(s.sigma_median, three_digits),
            result(s.relative_gap_max, scientific),
        ]
    };
    let lines = selections.iter().map(line).collect();
    Document {
        name: "selection".to_owned(),
        title: "Selected hyper-parameters and certified gaps".to_owned(),
        caption: format!(
            "Median of the selected regularisation λ and bandwidth σ (in units of the scaled features), and the \
             largest certified relative gap (P − D)/P, over all datasets and repeats. {} —: no such value.",
            level(unit)
        ),
        tables: vec![Table {
            columns: vec![
                Column::names("method", "method"),
                Column::numbers(unit.heading(), "level"),
                Column::numbers("median λ", "lambda_median"),
                Column::numbers("median σ", "sigma_median"),
                Column::numbers("worst relative gap", "relative_gap_max"),
            ],
            lines,
            notes: footnotes.into_notes(),
            ..Table::default()
        }],
        data: data(selections),
    }
}

fn data(selections: &[Selection]) -> Data {
    let mut data = Data::new([
        "method",
        "level",
        "cells",
        "ok",
        "lambda_median",
        "sigma_median",
        "relative_gap_max",
    ]);
    for s in selections {
        data.records.push(vec![
            s.method.clone(),
            number(Some(s.level)),
            s.counts.cells.to_string(),
            s.counts.ok.to_string(),
            number(s.lambda_median),
            number(s.sigma_median),
            number(s.relative_gap_max),
        ]);
    }
    data
}
