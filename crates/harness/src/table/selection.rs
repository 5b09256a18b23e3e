//! What was selected, and how well it was solved.

use super::caption::level;
use super::footnotes::Footnotes;
use super::markdown::table;
use crate::stats::csv::{number, record};
use crate::stats::{Axes, Counts, LevelUnit, median};
use crate::store::{CellRow, Measurement, Status};

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
pub(super) fn selections(
    rows: &[CellRow],
    summary: &[crate::stats::SummaryRow],
    axes: &Axes,
) -> Vec<Selection> {
    let mut selections = Vec::new();
    for (m, method) in axes.methods.iter().enumerate() {
        for (l, &level) in axes.levels.iter().enumerate() {
            let counts = (0..axes.datasets.len())
                .map(|d| summary[axes.index(d, m, l)].counts)
                .fold(Counts::default(), Counts::plus);
            let ok: Vec<&Measurement> = rows
                .iter()
                .filter(|row| row.method == *method && row.level == level)
                .filter(|row| axes.position(row).is_some() && row.status == Status::Ok)
                .filter_map(|row| row.measurement.as_ref())
                .collect();
            let lambdas: Vec<f64> = ok.iter().map(|m| m.lambda).collect();
            let sigmas: Vec<f64> = ok.iter().filter_map(|m| m.sigma).collect();
            selections.push(Selection {
                method: method.clone(),
                level,
                counts,
                lambda_median: median(&lambdas),
                sigma_median: median(&sigmas),
                relative_gap_max: ok.iter().map(|m| m.relative_gap).max_by(f64::total_cmp),
            });
        }
    }
    selections
}

/// The table with its heading, its caption and its notes.
pub(super) fn selection_markdown(selections: &[Selection], unit: LevelUnit) -> String {
    let header = [
        "method",
        unit.heading(),
        "median λ",
        "median σ",
        "worst relative gap",
    ];
    let mut footnotes = Footnotes::default();
    let lines: Vec<Vec<String>> = selections
        .iter()
        .map(|s| {
            vec![
                s.method.clone() + &footnotes.marker(s.counts),
                s.level.to_string(),
                three_digits(s.lambda_median),
                three_digits(s.sigma_median),
                scientific(s.relative_gap_max),
            ]
        })
        .collect();
    format!(
        "# Selected hyper-parameters and certified gaps\n\nMedian of the selected regularisation λ and bandwidth σ (in units of the scaled features), and the \
         largest certified relative gap (P − D)/P, over all datasets and repeats. {} —: no such value.\n\n{}{}",
        level(unit),
        table(&header.map(String::from), 1, &lines),
        footnotes.lines(),
    )
}

/// The same in CSV, with all digits.
pub(super) fn selection_csv(selections: &[Selection]) -> String {
    let header = [
        "method",
        "level",
        "cells",
        "ok",
        "lambda_median",
        "sigma_median",
        "relative_gap_max",
    ];
    let mut csv = record(&header.map(String::from));
    for s in selections {
        csv += &record(&[
            s.method.clone(),
            number(Some(s.level)),
            s.counts.cells.to_string(),
            s.counts.ok.to_string(),
            number(s.lambda_median),
            number(s.sigma_median),
            number(s.relative_gap_max),
        ]);
    }
    csv
}

/// Three significant digits, without an exponent where the number is of a usual size.
pub(super) fn three_digits(value: Option<f64>) -> String {
    let Some(value) = value else {
        return "—".to_owned();
    };
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = value.abs().log10().floor() as i32;
    if (-4..5).contains(&exponent) {
        let rounding = 10_f64.powi(2 - exponent);
        ((value * rounding).round() / rounding).to_string()
    } else {
        scientific(Some(value))
    }
}

/// Two significant digits with an exponent.
pub(super) fn scientific(value: Option<f64>) -> String {
    value.map_or_else(|| "—".to_owned(), |value| format!("{value:.1e}"))
}
