//! Methods against each other over datasets.

use super::caption::level;
use super::markdown::{percent, table};
use super::p_value;
use crate::plan::Comparison;
use crate::stats::csv::{number, record};
use crate::stats::{Axes, ComparisonRow, compare};
use crate::store::{CellRow, write_atomically};
use std::io;
use std::path::Path;

/// Writes `comparison.md` and `comparison.csv` into `tables/` of a run's folder `dir`; nothing without comparisons.
///
/// # Errors
/// What the file system says.
pub fn write_comparison(
    dir: &Path,
    rows: &[CellRow],
    axes: &Axes,
    comparisons: &[Comparison],
) -> io::Result<()> {
    if comparisons.is_empty() {
        return Ok(());
    }
    let rows = compare(rows, axes, comparisons);
    let folder = dir.join("tables");
    write_atomically(
        &folder.join("comparison.md"),
        markdown(&rows, axes).as_bytes(),
    )?;
    write_atomically(&folder.join("comparison.csv"), csv(&rows).as_bytes())
}

fn markdown(rows: &[ComparisonRow], axes: &Axes) -> String {
    let header = [
        "method",
        "against",
        "error",
        axes.unit.heading(),
        "mean",
        "against",
        "difference",
        "lower–equal–higher",
        "W⁺",
        "p",
        "p (Holm)",
    ];
    let shown = |value: Option<f64>| value.map_or_else(|| "—".to_owned(), percent);
    let line = |row: &ComparisonRow| {
        let mean = |of: fn(&(String, f64, f64)) -> f64| {
            let n = row.means.len();
            (n > 0).then(|| row.means.iter().map(of).sum::<f64>() / n as f64)
        };
        let left_out = match row.left_out {
            0 => String::new(),
            n => format!(" ({n} left out)"),
        };
        vec![
            row.method.clone(),
            row.other.clone(),
            row.metric.name().to_owned(),
            row.level.to_string(),
            shown(mean(|m| m.1)),
            shown(mean(|m| m.2)),
            shown(row.mean_difference()),
            row.wins_ties_losses().map(|n| n.to_string()).join("–") + &left_out,
            row.test.positive_ranks.to_string(),
            p_value(row.test.p_value),
            p_value(row.corrected),
        ]
    };
    let lines: Vec<Vec<String>> = rows.iter().map(line).collect();
    format!(
        "# Methods against each other over datasets\n\nErrors in percent, means over repeats and datasets, and the difference \
         method − against. Datasets on which the method's mean is lower, equal and higher. W⁺: the ranks of the datasets on which it is higher, 0 if on none. p: Wilcoxon's exact signed-rank test on \
         the means of the datasets, one-sided: that the method's error is lower, 2⁻ⁿ at the least for n datasets; p (Holm) is corrected for the rows of one comparison. \
         {}\n\n{}",
        level(axes.unit),
        table(&header.map(String::from), 3, &lines),
    )
}

fn csv(rows: &[ComparisonRow]) -> String {
    let header = [
        "method",
        "against",
        "metric",
        "level",
        "dataset",
        "mean",
        "against_mean",
        "p_value",
        "p_value_holm",
    ];
    let mut csv = record(&header.map(String::from));
    for row in rows {
        for (dataset, of_method, of_other) in &row.means {
            csv += &record(&[
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
    csv
}
