//! A metric's table in Markdown.

use super::caption::{level, repeats};
use super::footnotes::Footnotes;
use super::grid::{ALL_DATASETS, Entry, Line};
use super::markdown::{percent, table};
use super::metric::Metric;
use crate::stats::{Axes, LevelUnit, Moments, SummaryRow};

/// The table with its heading, its caption and its notes.
pub(super) fn metric_markdown(
    metric: &Metric,
    lines: &[Line],
    summary: &[SummaryRow],
    axes: &Axes,
) -> String {
    let mut header = vec!["dataset".to_owned(), axes.unit.heading().to_owned()];
    header.extend(axes.methods.iter().cloned());
    let mut footnotes = Footnotes::default();
    let fields: Vec<Vec<String>> = lines
        .iter()
        .map(|line| line_fields(metric, line, &mut footnotes))
        .collect();
    format!(
        "# {}\n\n{}\n\n{}{}",
        metric.title,
        caption(metric, lines, summary, axes.unit),
        table(&header, 1, &fields),
        footnotes.lines(),
    )
}

fn caption(metric: &Metric, lines: &[Line], summary: &[SummaryRow], unit: LevelUnit) -> String {
    let mut caption = format!(
        "{} over {}, in percent. {} **Bold**: {} of the line as displayed, ties included, among methods whose every cell was measured.",
        metric.cell,
        repeats(summary),
        level(unit),
        metric.best,
    );
    if lines.iter().any(|line| line.dataset == ALL_DATASETS) {
        caption += " All datasets: mean over datasets, each with the same weight; ± is over repeats here too.";
    }
    caption
}

fn line_fields(metric: &Metric, line: &Line, footnotes: &mut Footnotes) -> Vec<String> {
    let best = best(metric, line);
    let entries = line.entries.iter().map(|entry| {
        let field = entry_field(metric, entry);
        let is_best = best.is_some() && best == rank(metric, entry);
        let field = if is_best {
            format!("**{field}**")
        } else {
            field
        };
        field + &footnotes.marker(entry.counts)
    });
    let names = [line.dataset.to_owned(), line.level.to_string()];
    names.into_iter().chain(entries).collect()
}

fn entry_field(metric: &Metric, entry: &Entry) -> String {
    let Some(performance) = entry.performance else {
        return "—".to_owned();
    };
    let ends: Vec<Moments> = metric
        .ends
        .iter()
        .map(|end| (end.of)(&performance))
        .collect();
    match ends[..] {
        [low, high] if low.mean != high.mean => {
            format!("{}–{}", percent(low.mean), percent(high.mean))
        }
        _ => mean_and_sd(ends[ends.len() - 1]),
    }
}

fn mean_and_sd(moments: Moments) -> String {
    let mean = percent(moments.mean);
    match moments.sd {
        Some(sd) => format!("{mean} ± {}", percent(sd)),
        None => mean,
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
