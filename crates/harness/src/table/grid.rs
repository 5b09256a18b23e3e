//! The lines of a metric's table: dataset × level, with an entry for each method.

use crate::stats::{Axes, Counts, OverallRow, Performance, SummaryRow};

/// The heading of the lines that average over datasets.
const ALL_DATASETS: &str = "all datasets";

/// One line of a table.
pub(super) struct Line<'a> {
    /// `None` for the average over datasets.
    pub(super) dataset: Option<&'a str>,
    pub(super) level: f64,
    /// One entry per method of the axes.
    pub(super) entries: Vec<Entry>,
}

impl Line<'_> {
    /// The line's name.
    pub(super) fn name(&self) -> &str {
        self.dataset.unwrap_or(ALL_DATASETS)
    }
}

/// What one method did on a line.
pub(super) struct Entry {
    pub(super) counts: Counts,
    /// `None` where no cell was measured.
    pub(super) performance: Option<Performance>,
}

/// Lines for every dataset and level of the axes, from a summary over the same axes; then the averages, if there are any.
pub(super) fn lines<'a>(
    summary: &[SummaryRow],
    overall: Option<&[OverallRow]>,
    axes: &'a Axes,
) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    for (d, dataset) in axes.datasets.iter().enumerate() {
        for (l, &level) in axes.levels.iter().enumerate() {
            let rows = (0..axes.methods.len()).map(|m| &summary[axes.index(d, m, l)]);
            lines.push(Line {
                dataset: Some(dataset),
                level,
                entries: rows.map(Entry::of_summary).collect(),
            });
        }
    }
    for (l, &level) in axes.levels.iter().enumerate() {
        if let Some(overall) = overall {
            let rows = overall.iter().skip(l).step_by(axes.levels.len());
            lines.push(Line {
                dataset: None,
                level,
                entries: rows.map(Entry::of_overall).collect(),
            });
        }
    }
    lines
}

impl Entry {
    fn of_summary(row: &SummaryRow) -> Self {
        Self {
            counts: row.counts,
            performance: row.metrics.map(|metrics| metrics.performance),
        }
    }

    fn of_overall(row: &OverallRow) -> Self {
        let counts = Counts {
            cells: row.repeats,
            ok: row.repeats,
            ..Counts::default()
        };
        Self {
            counts,
            performance: Some(row.performance),
        }
    }
}
