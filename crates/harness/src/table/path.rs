//! The path equivalence: which nominal SVM each uniformly robust one is.

use super::caption::level;
use super::markdown::table;
use super::selection::{scientific, three_digits};
use crate::stats::csv::{number, record};
use crate::stats::{Axes, LevelUnit, median};
use crate::store::{CellRow, Measurement};

/// One robust method at one level on one dataset, over its repeats.
pub(super) struct Equivalence {
    dataset: String,
    method: String,
    level: f64,
    cells: usize,
    lambda_median: Option<f64>,
    nominal_lambda_median: Option<f64>,
    gap_max: Option<f64>,
}

/// The equivalences there are: none unless Γ_i is uniform.
pub(super) fn equivalences(rows: &[CellRow], axes: &Axes) -> Vec<Equivalence> {
    let mut equivalences = Vec::new();
    for dataset in &axes.datasets {
        for method in &axes.methods {
            for &level in &axes.levels {
                let cells: Vec<&Measurement> = rows
                    .iter()
                    .filter(|r| r.dataset == *dataset && r.method == *method && r.level == level)
                    .filter_map(|row| row.measurement.as_ref())
                    .filter(|m| m.nominal_lambda.is_some())
                    .collect();
                if cells.is_empty() {
                    continue;
                }
                let lambdas: Vec<f64> = cells.iter().map(|m| m.lambda).collect();
                let nominal: Vec<f64> = cells.iter().filter_map(|m| m.nominal_lambda).collect();
                equivalences.push(Equivalence {
                    dataset: dataset.clone(),
                    method: method.clone(),
                    level,
                    cells: cells.len(),
                    lambda_median: median(&lambdas),
                    nominal_lambda_median: median(&nominal),
                    gap_max: cells
                        .iter()
                        .filter_map(|m| m.nominal_gap)
                        .max_by(f64::total_cmp),
                });
            }
        }
    }
    equivalences
}

/// The table with its heading and its caption.
pub(super) fn path_markdown(equivalences: &[Equivalence], unit: LevelUnit) -> String {
    let header = [
        "dataset",
        "method",
        unit.heading(),
        "n",
        "median λ",
        "median λ′",
        "worst gap at λ′",
    ];
    let lines: Vec<Vec<String>> = equivalences
        .iter()
        .map(|e| {
            vec![
                e.dataset.clone(),
                e.method.clone(),
                e.level.to_string(),
                e.cells.to_string(),
                three_digits(e.lambda_median),
                three_digits(e.nominal_lambda_median),
                scientific(e.gap_max),
            ]
        })
        .collect();
    format!(
        "# Path equivalence\n\nWith one radius Γ for all training points, the robust classifier at λ is, up to the positive factor \
         s = 1 + Γ‖ζ‖, the nominal one at λ′ = s (λ + Γ Σα/‖ζ‖). Worst gap at λ′: the largest certified relative gap of the scaled robust \
         classifier as a solution of that nominal problem, over the n repeats with ζ ≠ 0; near 0 is equality. {}\n\n{}",
        level(unit),
        table(&header.map(String::from), 2, &lines),
    )
}

/// The same in CSV, with all digits.
pub(super) fn path_csv(equivalences: &[Equivalence]) -> String {
    let header = [
        "dataset",
        "method",
        "level",
        "n",
        "lambda_median",
        "nominal_lambda_median",
        "nominal_gap_max",
    ];
    let mut csv = record(&header.map(String::from));
    for e in equivalences {
        csv += &record(&[
            e.dataset.clone(),
            e.method.clone(),
            number(Some(e.level)),
            e.cells.to_string(),
            number(e.lambda_median),
            number(e.nominal_lambda_median),
            number(e.gap_max),
        ]);
    }
    csv
}
