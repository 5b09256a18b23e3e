//! A metric's table.

use super::caption::{level, repeats};
use super::footnotes::Footnotes;
use super::grid::{Entry, Line};
use super::metric::Metric;
use super::metric_data::metric_data;
use super::model::{CellsOf, Column, Document, Entry as Shown, Table};
use super::shown::{NONE, percent};
use crate::stats::{Axes, LevelUnit, Moments, SummaryRow};

/// A line for each dataset and level, a column for each method.
pub(super) fn metric_table(
    metric: &Metric,
    lines: &[Line],
    summary: &[SummaryRow],
    axes: &Axes,
) -> Document {
    let method = |name: &String| Column::numbers(name, name).in_unit("%");
    let columns = [
        Column::names("dataset", "dataset"),
        Column::numbers(axes.unit.heading(), "level"),
    ];
    let mut footnotes = Footnotes::default();
    let shown = |line: &Line| shown(metric, line, axes, &mut footnotes);
    Document {
        name: metric.file.to_owned(),
        title: metric.title.to_owned(),
        caption: caption(metric, lines, summary, axes.unit),
        tables: vec![Table {
            columns: columns
                .into_iter()
                .chain(axes.methods.iter().map(method))
                .collect(),
            lines: lines.iter().map(shown).collect(),
            notes: footnotes.into_notes(),
            ..Table::default()
        }],
        data: metric_data(metric, lines, axes),
    }
}

fn caption(metric: &Metric, lines: &[Line], summary: &[SummaryRow], unit: LevelUnit) -> String {
    let mut caption = format!(
        "{} over {}, in percent. {} **Bold**: {} of the line as displayed, ties included, among methods whose every cell was measured.",
        metric.cell,
        repeats(summary),
        level(unit),
        metric.best,
    );
    if lines.iter().any(|line| line.dataset.is_none()) {
        caption += " All datasets: mean over datasets, each with the same weight; ± is over repeats here too.";
    }
    caption
}

fn shown(metric: &Metric, line: &Line, axes: &Axes, footnotes: &mut Footnotes) -> Vec<Shown> {
    let best = best(metric, line);
    let mut shown = vec![
        Shown::name(line.name()),
        Shown::name(line.level.to_string()),
    ];
    for (entry, method) in line.entries.iter().zip(&axes.methods) {
        let cells = match line.dataset {
            None => CellsOf::over_datasets(method, line.level),
            Some(dataset) => CellsOf::triple(dataset, method, line.level),
        };
        let (text, numbers) = text(metric, entry);
        shown.push(Shown {
            best: best.is_some() && best == rank(metric, entry),
            ..Shown::result(text, numbers, [cells]).noted(footnotes.of(entry.counts))
        });
    }
    shown
}

/// What is displayed, and the numbers in it.
fn text(metric: &Metric, entry: &Entry) -> (String, Vec<f64>) {
    let Some(performance) = entry.performance else {
        return (NONE.to_owned(), Vec::new());
    };
    let ends: Vec<Moments> = metric
        .ends
        .iter()
        .map(|end| (end.of)(&performance))
        .collect();
    match ends[..] {
        [low, high] if low.mean != high.mean => {
            let [from, to] = [low, high].map(|end| percent(end.mean));
            let text = if from == to {
                to
            } else {
                format!("{from}–{to}")
            };
            (text, vec![low.mean, high.mean])
        }
        _ => {
            let Moments { mean, sd } = ends[ends.len() - 1];
            let spread = sd.map(|sd| format!(" ± {}", percent(sd)));
            let text = percent(mean) + &spread.unwrap_or_default();
            (text, std::iter::once(mean).chain(sd).collect())
        }
    }
}

/// The value that methods are compared by, in displayed tenths of a percent; `None` for entries that do not rest on all
/// their cells, since a mean over fewer repeats is not the same quantity.
fn rank(metric: &Metric, entry: &Entry) -> Option<i64> {
    let performance = entry.performance.filter(|_| entry.counts.complete())?;
    let last = metric.ends.last()?;
    let shown = percent((last.of)(&performance).mean);
    shown.replace('.', "").parse().ok()
}

fn best(metric: &Metric, line: &Line) -> Option<i64> {
    let ranks = line.entries.iter().filter_map(|entry| rank(metric, entry));
    if metric.smaller_is_better {
        ranks.min()
    } else {
        ranks.max()
    }
}
