//! `tables/accuracy` and `tables/noise`: accuracies of methods, by dataset and by kind of noise.

use super::plan::unit;
use super::spec_noise::NoiseKind;
use super::summary::{Condition, Summary};
use crate::stats::Moments;
use crate::stats::csv::number;
use crate::table::shown::{NONE, percent};
use crate::table::{CellsOf, Column, Data, Document, Entry, Table};

/// Accuracies by dataset, a table for each kind of noise and level.
pub(super) fn accuracy(summary: &Summary<'_>) -> Document {
    Document {
        name: "accuracy".to_owned(),
        title: "Accuracy".to_owned(),
        caption: format!(
            "Share of test rows that are right, in percent: mean ± standard deviation over repeats or folds; the best mean of each dataset is marked. \
             Hyper-parameters are those with the best accuracy on the validation rows, without noise.{}",
            of_noise(summary)
        ),
        tables: summary
            .conditions()
            .into_iter()
            .map(|c| by_dataset(summary, c))
            .collect(),
        data: data(summary),
    }
}

/// How noise is to be read; nothing where there is none.
fn of_noise(summary: &Summary<'_>) -> String {
    if summary.plan.noise.kinds.len() == 1 {
        return String::new();
    }
    let mut scalings: Vec<&str> = summary.plan.tasks.iter().map(|t| unit(t.scaling)).collect();
    scalings.dedup();
    format!(
        " Noise is on test rows alone; γ in {}, n features. *uniform*: in the ball of radius γ. *gaussian*: variance `γ^{{2}}/(n+2)` in each feature, and so \
         the same expected squared length. *dropout*: each feature 0 with that probability. *worst-case*: right whatever perturbation \
         of the ball was tried, an upper bound of the robust accuracy.",
        scalings.join(" or ")
    )
}

/// The words for a condition.
pub(super) fn title(summary: &Summary<'_>, condition: Condition) -> String {
    match (condition.noise, summary.plan.noise.kinds.len()) {
        (NoiseKind::None, 1) => "Accuracy".to_owned(),
        (NoiseKind::None, _) => format!("No noise, trained for γ = {}", summary.gamma(condition)),
        (kind, _) => format!("{}, γ = {}", kind.name(), summary.gamma(condition)),
    }
}

fn by_dataset(summary: &Summary<'_>, condition: Condition) -> Table {
    let datasets: Vec<&str> = summary.datasets().collect();
    let columns = datasets
        .iter()
        .map(|dataset| Column::numbers(*dataset, *dataset).in_unit("%"));
    let best: Vec<f64> = datasets
        .iter()
        .map(|dataset| {
            let means = summary
                .methods()
                .filter_map(|m| summary.accuracy(dataset, m, condition));
            means.map(|m| m.mean).fold(f64::NEG_INFINITY, f64::max)
        })
        .collect();
    let line = |method: &str| {
        let entries = datasets.iter().zip(&best).map(|(dataset, best)| {
            let moments = summary.accuracy(dataset, method, condition);
            let mut entry = measured(moments, cells(summary, dataset, method, condition));
            entry.best = moments.is_some_and(|m| m.mean == *best);
            entry
        });
        [Entry::name(method)].into_iter().chain(entries).collect()
    };
    Table {
        title: Some(title(summary, condition)),
        columns: [Column::names("method", "method")]
            .into_iter()
            .chain(columns)
            .collect(),
        lines: summary.methods().map(line).collect(),
        remark: missing(summary, condition),
        ..Table::default()
    }
}

/// Which datasets have no result at all.
fn missing(summary: &Summary<'_>, condition: Condition) -> String {
    let without = |dataset: &&str| {
        let mut methods = summary.methods();
        !methods.any(|method| summary.accuracy(dataset, method, condition).is_some())
    };
    let without: Vec<&str> = summary.datasets().filter(without).collect();
    match without.as_slice() {
        [] => String::new(),
        names => format!("No cell of {} is measured.", names.join(", ")),
    }
}

/// A mean with its spread, of these cells.
pub(super) fn measured(moments: Option<Moments>, cells: CellsOf) -> Entry {
    match moments {
        Some(Moments { mean, sd }) => {
            let spread = sd.map(|sd| format!(" ± {}", percent(sd)));
            let text = format!("{}{}", two_decimals(mean), spread.unwrap_or_default());
            Entry::result(text, std::iter::once(mean).chain(sd), [cells])
        }
        None => Entry::result(NONE, [], [cells]),
    }
}

/// A fraction in percent with two decimals, as accuracies are published.
pub(super) fn two_decimals(fraction: f64) -> String {
    format!("{:.2}", 100.0 * fraction)
}

/// The cells of a method on a dataset.
pub(super) fn cells(
    summary: &Summary<'_>,
    dataset: &str,
    method: &str,
    condition: Condition,
) -> CellsOf {
    let noise = Some(condition.noise.name().to_owned());
    CellsOf::triple(dataset, method, summary.gamma(condition)).and("noise", noise)
}

/// Accuracies by kind of noise, means over datasets, a table for each level.
pub(super) fn by_noise(summary: &Summary<'_>) -> Document {
    let mut data = Data::new(["level", "noise", "method", "accuracy", "rank", "datasets"]);
    let mut tables = Vec::new();
    for level in summary.levels() {
        let kinds = &summary.plan.noise.kinds;
        let conditions = kinds.iter().map(|&noise| Condition { noise, level });
        let found: Vec<_> = conditions.map(|c| (c, summary.over_datasets(c))).collect();
        let mut lines = Vec::new();
        for (index, method) in summary.methods().enumerate() {
            let mut line = vec![Entry::name(method)];
            for (condition, (means, count)) in &found {
                let gamma = summary.gamma(*condition);
                let best = means.iter().flatten().map(|m| m[0]).fold(0.0, f64::max);
                let of = CellsOf::over_datasets(method, gamma)
                    .and("noise", Some(condition.noise.name().to_owned()));
                line.push(match means[index] {
                    Some([mean, rank]) => Entry {
                        best: mean == best,
                        ..Entry::result(
                            format!("{} ({rank:.1})", percent(mean)),
                            [mean, rank],
                            [of],
                        )
                    },
                    None => Entry::result(NONE, [], [of]),
                });
                data.records.push(vec![
                    gamma.to_string(),
                    condition.noise.name().to_owned(),
                    method.to_owned(),
                    number(means[index].map(|m| m[0])),
                    number(means[index].map(|m| m[1])),
                    count.to_string(),
                ]);
            }
            lines.push(line);
        }
        let columns = kinds
            .iter()
            .map(|kind| Column::numbers(kind.name(), kind.name()));
        tables.push(Table {
            title: Some(format!("γ = {}", summary.plan.noise.levels[level])),
            columns: [Column::names("method", "method")]
                .into_iter()
                .chain(columns)
                .collect(),
            lines,
            ..Table::default()
        });
    }
    Document {
        name: "noise".to_owned(),
        title: "Which treatment of uncertainty wins under which noise".to_owned(),
        caption: format!(
            "Accuracy in percent and, in parentheses, rank among the methods, 1 the best: means over the datasets on which all methods are measured. The best mean \
             is marked. Every method knows γ at most, none the kind of noise.{}",
            of_noise(summary)
        ),
        tables,
        data,
    }
}

/// A record for each dataset, method and condition.
fn data(summary: &Summary<'_>) -> Data {
    let header = [
        "dataset",
        "method",
        "noise",
        "level",
        "repeats",
        "mean",
        "sd",
        "validation",
    ];
    let mut data = Data::new(header);
    for condition in summary.conditions() {
        for dataset in summary.datasets() {
            for method in summary.methods() {
                let measured = summary.measured(dataset, method, condition);
                let moments = summary.accuracy(dataset, method, condition);
                let validation: Vec<f64> = measured
                    .iter()
                    .map(|(_, m)| m.validation_accuracy)
                    .collect();
                data.records.push(vec![
                    dataset.to_owned(),
                    method.to_owned(),
                    condition.noise.name().to_owned(),
                    summary.gamma(condition).to_string(),
                    measured.len().to_string(),
                    number(moments.map(|m| m.mean)),
                    number(moments.and_then(|m| m.sd)),
                    number(Moments::of(&validation).map(|m| m.mean)),
                ]);
            }
        }
    }
    data
}
