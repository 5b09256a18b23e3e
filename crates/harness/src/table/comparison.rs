//! Methods against each other over datasets.

use super::caption::level;
use super::model::{CellsOf, Column, Data, Document, Entry, Table};
use super::shown::{NONE, p_value, percent};
use crate::stats::csv::number;
use crate::stats::{ComparisonRow, LevelUnit};

/// A line for each comparison.
pub(super) fn comparison_table(rows: &[ComparisonRow], unit: LevelUnit) -> Document {
    Document {
        name: "comparison".to_owned(),
        title: "Methods against each other over datasets".to_owned(),
        caption: format!(
            "Errors in percent, means over repeats and datasets, and the difference \
             method − against. Datasets on which the method's mean is lower, equal and higher. W⁺: the ranks of the datasets on which it is higher, 0 if on none. p: Wilcoxon's exact signed-rank test on \
             the means of the datasets, one-sided: that the method's error is lower, 2⁻ⁿ at the least for n datasets; p (Holm) is corrected for the rows of one comparison. \
             {}",
            level(unit)
        ),
        tables: vec![Table {
            columns: vec![
                Column::names("method", "method"),
                Column::names("against", "against"),
                Column::names("error", "metric"),
                Column::numbers(unit.heading(), "level"),
                Column::numbers("mean", "mean").in_unit("%"),
                Column::numbers("against", "against_mean").in_unit("%"),
                Column::numbers("difference", "difference").in_unit("%"),
                Column::numbers("lower–equal–higher", "lower_equal_higher"),
                Column::numbers("W⁺", "positive_ranks"),
                Column::numbers("p", "p_value"),
                Column::numbers("p (Holm)", "p_value_holm"),
            ],
            lines: rows.iter().map(|row| line(row, rows)).collect(),
            ..Table::default()
        }],
        data: data(rows),
    }
}

fn line(row: &ComparisonRow, rows: &[ComparisonRow]) -> Vec<Entry> {
    let mean = |of: fn(&(String, f64, f64)) -> f64| {
        let n = row.means.len();
        (n > 0).then(|| row.means.iter().map(of).sum::<f64>() / n as f64)
    };
    let of = |method: &str| CellsOf::over_datasets(method, row.level);
    let both = || [of(&row.method), of(&row.other)];
    // The correction is over the levels and other methods of a claim.
    let claim = rows
        .iter()
        .filter(|other| other.method == row.method && other.metric == row.metric);
    let claim =
        claim.flat_map(|r| [&r.method, &r.other].map(|name| CellsOf::over_datasets(name, r.level)));
    let error = |value: Option<f64>, cells: &[CellsOf]| {
        let cells = cells.iter().cloned();
        Entry::result(value.map_or_else(|| NONE.to_owned(), percent), value, cells)
    };
    let left_out = match row.left_out {
        0 => String::new(),
        n => format!(" ({n} left out)"),
    };
    let counts = row.wins_ties_losses();
    let ranks = row.test.positive_ranks;
    vec![
        Entry::name(&row.method),
        Entry::name(&row.other),
        Entry::name(row.metric.name()),
        Entry::name(row.level.to_string()),
        error(mean(|m| m.1), &[of(&row.method)]),
        error(mean(|m| m.2), &[of(&row.other)]),
        error(row.mean_difference(), &both()),
        Entry::result(
            counts.map(|n| n.to_string()).join("–") + &left_out,
            counts.map(|n| n as f64),
            both(),
        ),
        Entry::result(ranks.to_string(), [ranks], both()),
        Entry::result(p_value(row.test.p_value), [row.test.p_value], both()),
        Entry::result(p_value(row.corrected), [row.corrected], claim),
    ]
}

fn data(rows: &[ComparisonRow]) -> Data {
    let mut data = Data::new([
        "method",
        "against",
        "metric",
        "level",
        "dataset",
        "mean",
        "against_mean",
        "p_value",
        "p_value_holm",
    ]);
    for row in rows {
        for (dataset, of_method, of_other) in &row.means {
            data.records.push(vec![
                row.method.clone(),
                row.other.clone(),
                row.metric.name().to_owned(),
                number(Some(row.level)),
                dataset.clone(),
                number(Some(*of_method)),
                number(Some(*of_other)),
                number(Some(row.test.p_value)),
                number(Some(row.corrected)),
            ]);
        }
    }
    data
}
