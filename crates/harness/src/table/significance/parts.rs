//! What the tables of tests share.

use crate::stats::{Axes, LevelStatistics, LevelUnit};
use crate::table::caption::words;
use crate::table::model::{CellsOf, Column, Entry, Table};

/// The statistics of each error, with its name as a title.
pub(super) fn of_metrics(
    statistics: &[LevelStatistics],
) -> impl Iterator<Item = (String, &[LevelStatistics])> {
    let of_metrics = statistics.chunk_by(|a, b| a.metric == b.metric);
    of_metrics.map(|levels| {
        let words = words(levels[0].metric);
        let (first, rest) = words.split_at(1);
        (first.to_uppercase() + rest, levels)
    })
}

/// The table of one error: columns of `names`, and one for each level.
pub(super) fn by_level(
    title: String,
    names: &[&'static str],
    (levels, unit): (&[LevelStatistics], LevelUnit),
    lines: Vec<Vec<Entry>>,
    notes: Vec<String>,
) -> Table {
    let names = names.iter().map(|name| Column::names(*name, *name));
    Table {
        title: Some(title),
        columns: names.chain(level_columns(levels, unit)).collect(),
        lines,
        notes,
        ..Table::default()
    }
}

/// A column for each level.
pub(super) fn level_columns(
    levels: &[LevelStatistics],
    unit: LevelUnit,
) -> impl Iterator<Item = Column> {
    let letter = unit.heading().trim_start_matches("level ");
    levels.iter().map(move |level| {
        Column::numbers(
            format!("{letter}={}", level.level),
            format!("level_{}", level.level),
        )
    })
}

/// The cells of `methods` at a level on all datasets but those left out.
pub(super) fn cells(
    axes: &Axes,
    methods: &[usize],
    level: f64,
    left_out: &[usize],
) -> Vec<CellsOf> {
    let names = || methods.iter().map(|method| &axes.methods[*method]);
    if left_out.is_empty() {
        return names()
            .map(|name| CellsOf::over_datasets(name, level))
            .collect();
    }
    let kept = (0..axes.datasets.len()).filter(|d| !left_out.contains(d));
    kept.flat_map(|d| names().map(move |name| CellsOf::triple(&axes.datasets[d], name, level)))
        .collect()
}

/// The place of a note among `notes`, added where it is new.
pub(super) fn noted(notes: &mut Vec<String>, note: String) -> usize {
    let known = notes.iter().position(|other| *other == note);
    known.unwrap_or_else(|| {
        notes.push(note);
        notes.len() - 1
    })
}

/// The note of datasets left out; `None` without any.
pub(super) fn left_out(notes: &mut Vec<String>, axes: &Axes, left_out: &[usize]) -> Option<usize> {
    let names: Vec<&str> = left_out.iter().map(|d| &*axes.datasets[*d]).collect();
    let rest = axes.datasets.len() - left_out.len();
    let note = || {
        format!(
            "{rest} of {} datasets; not every planned repeat was measured: {}.",
            axes.datasets.len(),
            names.join(", ")
        )
    };
    (!names.is_empty()).then(|| noted(notes, note()))
}

/// The names of datasets in one field.
pub(super) fn joined(axes: &Axes, datasets: &[usize]) -> String {
    let names: Vec<&str> = datasets.iter().map(|d| &*axes.datasets[*d]).collect();
    names.join(";")
}

/// A difference of errors in percentage points, with its sign.
pub(super) fn points(difference: f64) -> String {
    let shown = format!("{:+.1}", 100.0 * difference);
    if shown == "-0.0" || shown == "+0.0" {
        return "0.0".to_owned();
    }
    shown.replace('-', "−")
}

/// Three counts in one entry.
pub(super) fn counts(counts: [usize; 3]) -> String {
    counts.map(|count| count.to_string()).join("–")
}
