//! How wide the brackets of the robust error are.

use crate::stats::{Axes, Counts, Performance, SummaryRow, median};

/// One of the brackets.
pub(super) struct Width {
    pub(super) heading: &'static str,
    /// Its name in the CSV.
    pub(super) key: &'static str,
    /// Upper − lower bound; `None` where either is missing.
    of: fn(&Performance) -> Option<f64>,
}

/// The brackets there are.
pub(super) const WIDTHS: [Width; 3] = [
    Width {
        heading: "width",
        key: "width",
        of: |p| Some(p.certified_error.mean - p.attack_error.mean),
    },
    Width {
        heading: "exact width",
        key: "exact_width",
        of: |p| Some(p.exact_certified_error?.mean - p.exact_attack_error?.mean),
    },
    Width {
        heading: "paper's width",
        key: "paper_width",
        of: |p| Some(p.paper_certified_error?.mean - p.attack_error.mean),
    },
];

/// The width of a bracket on a row of the summary.
pub(super) fn width(kind: &Width, row: &SummaryRow) -> Option<f64> {
    (kind.of)(&row.metrics?.performance)
}

/// The widths of all datasets for one method and level.
pub(super) struct Widths {
    pub(super) method: String,
    pub(super) level: f64,
    /// How the cells of all datasets ended.
    pub(super) counts: Counts,
    /// One a bracket; `None` where no dataset has it.
    pub(super) of: [Option<OverDatasets>; 3],
}

/// A width over datasets.
#[derive(Debug, Clone, Copy)]
pub(super) struct OverDatasets {
    pub(super) median: f64,
    pub(super) largest: f64,
}

/// Median and largest width over the datasets that have one, by method and level; none for a single dataset.
pub(super) fn widths(summary: &[SummaryRow], axes: &Axes) -> Vec<Widths> {
    if axes.datasets.len() < 2 {
        return Vec::new();
    }
    let mut widths = Vec::new();
    for (m, method) in axes.methods.iter().enumerate() {
        for (l, &level) in axes.levels.iter().enumerate() {
            let rows = || (0..axes.datasets.len()).map(|d| &summary[axes.index(d, m, l)]);
            let of = WIDTHS.map(|kind| {
                let values: Vec<f64> = rows().filter_map(|row| width(&kind, row)).collect();
                Some(OverDatasets {
                    median: median(&values)?,
                    largest: values.iter().copied().max_by(f64::total_cmp)?,
                })
            });
            if of.iter().any(Option::is_some) {
                widths.push(Widths {
                    method: method.clone(),
                    level,
                    counts: rows()
                        .map(|row| row.counts)
                        .fold(Counts::default(), Counts::plus),
                    of,
                });
            }
        }
    }
    widths
}
