//! The path equivalence: which nominal SVM each uniformly robust one is.

use super::caption::level;
use super::model::{CellsOf, Column, Data, Document, Entry, Table};
use super::shown::{NONE, scientific, three_digits};
use crate::stats::csv::number;
use crate::stats::{Groups, LevelUnit, Repeat, median};
use crate::store::StoreError;

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
///
/// # Errors
/// [`StoreError`] if the cells cannot be read.
pub(super) fn equivalences(groups: &Groups<'_>) -> Result<Vec<Equivalence>, StoreError> {
    let axes = groups.axes;
    let [lambdas, gaps] = [groups.numbers("lambda")?, groups.numbers("nominal_gap")?];
    let nominal_lambdas = groups.numbers("nominal_lambda")?;
    let mut equivalences = Vec::new();
    for (d, dataset) in axes.datasets.iter().enumerate() {
        for (m, method) in axes.methods.iter().enumerate() {
            for (l, &level) in axes.levels.iter().enumerate() {
                let cells = groups.of(axes.index(d, m, l)).iter();
                let cells: Vec<&Repeat> = cells
                    .filter(|cell| cell.number(&nominal_lambdas).is_some())
                    .collect();
                if cells.is_empty() {
                    continue;
                }
                let of = |numbers| -> Vec<f64> {
                    cells
                        .iter()
                        .filter_map(|cell| cell.number(numbers))
                        .collect()
                };
                equivalences.push(Equivalence {
                    dataset: dataset.clone(),
                    method: method.clone(),
                    level,
                    cells: cells.len(),
                    lambda_median: median(&of(&lambdas)),
                    nominal_lambda_median: median(&of(&nominal_lambdas)),
                    gap_max: of(&gaps).into_iter().max_by(f64::total_cmp),
                });
            }
        }
    }
    Ok(equivalences)
}

/// A line for each equivalence.
pub(super) fn path_table(equivalences: &[Equivalence], unit: LevelUnit) -> Document {
    let line = |e: &Equivalence| {
        let cells = || CellsOf::triple(&e.dataset, &e.method, e.level);
        let result = |value: Option<f64>, show: fn(f64) -> String| {
            Entry::result(
                value.map_or_else(|| NONE.to_owned(), show),
                value,
                [cells()],
            )
        };
        vec![
            Entry::name(&e.dataset),
            Entry::name(&e.method),
            Entry::name(e.level.to_string()),
            Entry::result(e.cells.to_string(), [e.cells as f64], [cells()]),
            result(e.lambda_median, three_digits),
            result(e.nominal_lambda_median, three_digits),
            result(e.gap_max, scientific),
        ]
    };
    Document {
        name: "path_equivalence".to_owned(),
        title: "Path equivalence".to_owned(),
        caption: format!(
            "With one radius Γ for all training points, the robust classifier at λ is, up to the positive factor \
             s = 1 + Γ‖ζ‖, the nominal one at λ′ = s (λ + Γ Σα/‖ζ‖). Worst gap at λ′: the largest certified relative gap of the scaled robust \
             classifier as a solution of that nominal problem, over the n repeats with ζ ≠ 0; near 0 is equality. {}",
            level(unit)
        ),
        tables: vec![Table {
            columns: vec![
                Column::names("dataset", "dataset"),
                Column::names("method", "method"),
                Column::numbers(unit.heading(), "level"),
                Column::numbers("n", "n"),
                Column::numbers("median λ", "lambda_median"),
                Column::numbers("median λ′", "nominal_lambda_median"),
                Column::numbers("worst gap at λ′", "nominal_gap_max"),
            ],
            lines: equivalences.iter().map(line).collect(),
            ..Table::default()
        }],
        data: data(equivalences),
    }
}

fn data(equivalences: &[Equivalence]) -> Data {
    let mut data = Data::new([
        "dataset",
        "method",
        "level",
        "n",
        "lambda_median",
        "nominal_lambda_median",
        "nominal_gap_max",
    ]);
    for e in equivalences {
        data.records.push(vec![
            e.dataset.clone(),
            e.method.clone(),
            number(Some(e.level)),
            e.cells.to_string(),
            number(e.lambda_median),
            number(e.nominal_lambda_median),
            number(e.gap_max),
        ]);
    }
    data
}
