//! `summary.csv`.

use super::csv::{number, record};
use super::{MetricSummary, Moments, Performance, SummaryRow};

const COLUMNS: [&str; 32] = [
    "dataset",
    "method",
    "level",
    "cells",
    "ok",
    "failed",
    "diverged",
    "skipped",
    "accuracy_mean",
    "accuracy_sd",
    "noisy_accuracy_mean",
    "noisy_accuracy_sd",
    "attack_error_mean",
    "attack_error_sd",
    "certified_error_mean",
    "certified_error_sd",
    "objective_mean",
    "objective_sd",
    "relative_gap_mean",
    "relative_gap_sd",
    "relative_gap_max",
    "lambda_median",
    "sigma_median",
    "exact_attack_error_mean",
    "exact_attack_error_sd",
    "exact_certified_error_mean",
    "exact_certified_error_sd",
    "paper_certified_error_mean",
    "paper_certified_error_sd",
    "timed_out",
    "out_of_memory",
    "crashed",
];

/// The summary as comma-separated values: a header, then one line a row, in fractions and not in percent.
///
/// Means, standard deviations (divisor n − 1) and medians are over the `ok` cells, empty where there are none, too few
/// or no such value. Numbers have the shortest form that reads back exactly.
pub fn summary_csv(rows: &[SummaryRow]) -> String {
    let mut csv = record(&COLUMNS.map(String::from));
    for row in rows {
        let counts = row.counts;
        let mut fields = vec![row.dataset.clone(), row.method.clone()];
        fields.push(number(Some(row.level)));
        fields.extend(
            [counts.cells, counts.ok, counts.failed, counts.diverged]
                .iter()
                .chain([&counts.skipped])
                .map(ToString::to_string),
        );
        fields.extend(metric_fields(row.metrics.as_ref()).map(number));
        let limits = [counts.timed_out, counts.out_of_memory, counts.crashed];
        fields.extend(limits.iter().map(ToString::to_string));
        csv += &record(&fields);
    }
    csv
}

fn metric_fields(metrics: Option<&MetricSummary>) -> [Option<f64>; 21] {
    let mean = |of: fn(&MetricSummary) -> Moments| metrics.map(|m| of(m).mean);
    let sd = |of: fn(&MetricSummary) -> Moments| metrics.and_then(|m| of(m).sd);
    let both = |of| [mean(of), sd(of)];
    let [accuracy, noisy, attack, certified, objective, gap] = [
        both(|m| m.performance.accuracy),
        both(|m| m.performance.noisy_accuracy),
        both(|m| m.performance.attack_error),
        both(|m| m.performance.certified_error),
        both(|m| m.objective),
        both(|m| m.relative_gap),
    ];
    let later = |of: fn(&Performance) -> Option<Moments>| {
        let moments = metrics.and_then(|m| of(&m.performance));
        [moments.map(|m| m.mean), moments.and_then(|m| m.sd)]
    };
    let [exact_attack, exact_certified, paper] = [
        later(|p| p.exact_attack_error),
        later(|p| p.exact_certified_error),
        later(|p| p.paper_certified_error),
    ];
    [
        accuracy[0],
        accuracy[1],
        noisy[0],
        noisy[1],
        attack[0],
        attack[1],
        certified[0],
        certified[1],
        objective[0],
        objective[1],
        gap[0],
        gap[1],
        metrics.map(|m| m.relative_gap_max),
        metrics.map(|m| m.lambda_median),
        metrics.and_then(|m| m.sigma_median),
        exact_attack[0],
        exact_attack[1],
        exact_certified[0],
        exact_certified[1],
        paper[0],
        paper[1],
    ]
}
