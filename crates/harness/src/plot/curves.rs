//! The figures of a run, from its summary.

use super::error::PlotError;
use super::figure::{Figure, LineKind, Panel, Value};
use super::picture::{Picture, Plot};
use crate::stats::{Axes, LevelUnit, Moments, Performance, SummaryRow};
use crate::table::caption::repeats;

/// What a figure draws of a cell's performance.
struct Ends {
    /// The line's metric.
    line: fn(&Performance) -> Moments,
    /// The other end of its band.
    band: fn(&Performance) -> Moments,
    /// The reference.
    reference: fn(&Performance) -> Option<Moments>,
}

impl Ends {
    /// A line without a band.
    fn line(line: fn(&Performance) -> Moments) -> Self {
        Self {
            line,
            band: line,
            reference: |_| None,
        }
    }
}

/// The lines of the figure `certificates`.
const CERTIFICATES: [(LineKind, &str); 3] = [
    (LineKind::Reference, "certified by the paper's bounds"),
    (LineKind::Line, "certified"),
    (LineKind::Band, "shown by an attack"),
];

/// `accuracy`, `noisy_accuracy`, `robust_error` and, where the paper's bounds certify something of some method,
/// `certificates`, from a summary over the same axes.
///
/// A panel per dataset, a line per method, the levels on a true scale; points are means over the measured cells, and the
/// figure says so where cells are missing.
///
/// # Errors
/// [`PlotError`] for axes without a dataset, method or level, and for a level that is not finite.
pub fn classification_plots(summary: &[SummaryRow], axes: &Axes) -> Result<Vec<Plot>, PlotError> {
    check(axes)?;
    let plot = |(name, figure)| Plot::new(name, Picture::Panels(figure));
    Ok(figures(summary, axes).into_iter().map(plot).collect())
}

fn check(axes: &Axes) -> Result<(), PlotError> {
    let [datasets, methods, levels] = [axes.datasets.len(), axes.methods.len(), axes.levels.len()];
    if datasets == 0 || methods == 0 || levels == 0 {
        return Err(PlotError::EmptyAxes {
            datasets,
            methods,
            levels,
        });
    }
    match axes.levels.iter().find(|level| !level.is_finite()) {
        Some(&level) => Err(PlotError::Level(level)),
        None => Ok(()),
    }
}

/// The figures with the names of their files.
fn figures(summary: &[SummaryRow], axes: &Axes) -> Vec<(&'static str, Figure)> {
    let mean = mean_note(summary);
    let sets = match axes.unit {
        LevelUnit::Chance => "the sets of the noise at level ε",
        _ => "uncertainty sets of size γ",
    };
    let robust_note = format!(
        "Marked line: certified error (upper bound). Shaded from there down to the error that an attack shows (lower bound). {mean}"
    );
    let base = |ends: Ends| Figure {
        title: String::new(),
        note: mean.clone(),
        kinds: &[],
        y_title: "accuracy (%)",
        from_zero: false,
        methods: axes.methods.clone(),
        robust: axes
            .methods
            .iter()
            .map(|name| axes.robust.contains(name))
            .collect(),
        levels: ascending(&axes.levels),
        unit: axes.unit,
        panels: panels(summary, axes, &ends),
    };
    let mut figures = vec![
        (
            "accuracy",
            Figure {
                title: "Accuracy on clean test points".to_owned(),
                ..base(Ends::line(|p| p.accuracy))
            },
        ),
        (
            "noisy_accuracy",
            Figure {
                title: "Accuracy on test points with random noise".to_owned(),
                ..base(Ends::line(|p| p.noisy_accuracy))
            },
        ),
        (
            "robust_error",
            Figure {
                title: format!("Robust error: worst case over {sets}"),
                note: robust_note,
                y_title: "robust error (%)",
                from_zero: true,
                ..base(Ends {
                    line: |p| p.certified_error,
                    band: |p| p.attack_error,
                    reference: |_| None,
                })
            },
        ),
    ];
    let performances = || summary.iter().filter_map(|row| row.metrics);
    if performances().any(|m| m.performance.paper_certified_error.is_some()) {
        let title = format!("What is known of the robust error: worst case over {sets}");
        let searched = performances().all(|m| m.performance.exact_certified_error.is_some());
        let search = if searched {
            " Points that these leave open were searched by branch and bound."
        } else {
            ""
        };
        let note = format!(
            "The robust error lies in the shaded band, between attack and certificate.{search} Dotted lines that reach the top go on above it: the table has \
             their values. {mean}"
        );
        let ends = if searched {
            Ends {
                line: |p| p.exact_certified_error.unwrap_or(p.certified_error),
                band: |p| p.exact_attack_error.unwrap_or(p.attack_error),
                reference: |p| p.paper_certified_error,
            }
        } else {
            Ends {
                line: |p| p.certified_error,
                band: |p| p.attack_error,
                reference: |p| p.paper_certified_error,
            }
        };
        let figure = Figure {
            title,
            note,
            kinds: &CERTIFICATES,
            y_title: "robust error (%)",
            from_zero: true,
            ..base(ends)
        };
        figures.push(("certificates", figure));
    }
    figures
}

fn panels(summary: &[SummaryRow], axes: &Axes, ends: &Ends) -> Vec<Panel> {
    let order = ascending_order(&axes.levels);
    let value = |row: &SummaryRow| {
        let performance = row.metrics?.performance;
        let reference = (ends.reference)(&performance).map(|m| 100.0 * m.mean);
        let value = Value {
            line: 100.0 * (ends.line)(&performance).mean,
            band: 100.0 * (ends.band)(&performance).mean,
            reference: reference.filter(|r| r.is_finite()),
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
pub(super) fn mean_note(summary: &[SummaryRow]) -> String {
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
