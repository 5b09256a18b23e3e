//! The figures of a run, from its summary.

use super::figure::{Figure, Panel, Value};
use crate::stats::{Axes, Moments, Performance, SummaryRow};
use crate::table::caption::repeats;

/// What a figure draws of a cell's performance: the line's metric and the other end of its band.
type Ends = fn(&Performance) -> (Moments, Moments);

/// The figures with the names of their files.
pub(super) fn figures<'a>(
    summary: &[SummaryRow],
    axes: &'a Axes,
) -> Vec<(&'static str, Figure<'a>)> {
    let mean = mean_note(summary);
    let robust_note = format!(
        "Marked line: certified error (upper bound). Shaded from there down to the error that an attack shows (lower bound). {mean}"
    );
    vec![
        (
            "accuracy",
            Figure {
                title: "Accuracy on clean test points".to_owned(),
                note: mean.clone(),
                y_title: "accuracy (%)",
                from_zero: false,
                methods: &axes.methods,
                levels: ascending(&axes.levels),
                unit: axes.unit,
                panels: panels(summary, axes, |p| (p.accuracy, p.accuracy)),
            },
        ),
        (
            "noisy_accuracy",
            Figure {
                title: "Accuracy on test points with random noise".to_owned(),
                note: mean,
                y_title: "accuracy (%)",
                from_zero: false,
                methods: &axes.methods,
                levels: ascending(&axes.levels),
                unit: axes.unit,
                panels: panels(summary, axes, |p| (p.noisy_accuracy, p.noisy_accuracy)),
            },
        ),
        (
            "robust_error",
            Figure {
                title: "Robust error: worst case over uncertainty sets of size γ".to_owned(),
                note: robust_note,
                y_title: "robust error (%)",
                from_zero: true,
                methods: &axes.methods,
                levels: ascending(&axes.levels),
                unit: axes.unit,
                panels: panels(summary, axes, |p| (p.certified_error, p.attack_error)),
            },
        ),
    ]
}

fn panels(summary: &[SummaryRow], axes: &Axes, ends: Ends) -> Vec<Panel> {
    let order = ascending_order(&axes.levels);
    let value = |row: &SummaryRow| {
        let (line, band) = ends(&row.metrics?.performance);
        let value = Value {
            line: 100.0 * line.mean,
            band: 100.0 * band.mean,
        };
        (value.line.is_finite() && value.band.is_finite()).then_some(value)
    };
    let curve = |d: usize, m: usize| {
        let rows = order.iter().map(|&l| &summary[axes.index(d, m, l)]);
        rows.map(value).collect()
    };
    axes.datasets
        .iter()
        .enumerate()
        .map(|(d, title)| Panel {
            title: title.clone(),
            curves: (0..axes.methods.len()).map(|m| curve(d, m)).collect(),
        })
        .collect()
}

/// What every point is a mean of, and how many cells are missing from these means.
fn mean_note(summary: &[SummaryRow]) -> String {
    let repeats = repeats(summary);
    let cells: usize = summary.iter().map(|row| row.counts.cells).sum();
    let ok: usize = summary.iter().map(|row| row.counts.ok).sum();
    let missing = if ok == cells {
        String::new()
    } else {
        format!(
            ", without {} of {cells} cells that have no result",
            cells - ok
        )
    };
    let spread = if summary.iter().any(|row| row.counts.ok > 1) {
        "; standard deviations are in the tables"
    } else {
        ""
    };
    format!("Means of {repeats}{missing}{spread}.")
}

fn ascending_order(levels: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..levels.len()).collect();
    order.sort_by(|&a, &b| levels[a].total_cmp(&levels[b]));
    order
}

fn ascending(levels: &[f64]) -> Vec<f64> {
    ascending_order(levels)
        .into_iter()
        .map(|l| levels[l])
        .collect()
}
