//! The figures: accuracy against the level of each kind of noise, and counts of confused classes.

use super::plan::unit;
use super::spec_noise::NoiseKind;
use super::summary::{Condition, Summary};
use super::table::two_decimals;
use crate::plot::{Axis, LineFigure, LinePanel, LinePoint, MatrixFigure, MatrixPanel, Plot, hue};
use crate::stats::Moments;

/// Hues before they are used again, dashed.
const HUES: usize = 7;

/// Mean accuracy over datasets against the level, a panel for each kind of noise.
pub(super) fn noise(summary: &Summary<'_>) -> Plot {
    let levels: Vec<f64> = summary
        .levels()
        .iter()
        .map(|l| summary.plan.noise.levels[*l])
        .collect();
    let methods: Vec<&str> = summary.methods().collect();
    let kinds = &summary.plan.noise.kinds;
    let of_kind = |&noise: &NoiseKind| -> Vec<Vec<LinePoint>> {
        let mut curves = vec![Vec::new(); methods.len()];
        for level in summary.levels() {
            let condition = Condition { noise, level };
            let (means, _) = summary.over_datasets(condition);
            for (curve, mean) in curves.iter_mut().zip(means) {
                if let Some([mean, _]) = mean {
                    let y = 100.0 * mean;
                    curve.push(LinePoint {
                        x: summary.gamma(condition),
                        y,
                        low: y,
                        high: y,
                    });
                }
            }
        }
        curves
    };
    let curves: Vec<Vec<Vec<LinePoint>>> = kinds.iter().map(of_kind).collect();
    let mut scalings: Vec<&str> = summary.plan.tasks.iter().map(|t| unit(t.scaling)).collect();
    scalings.dedup();
    let panel = |(kind, curves): (&NoiseKind, Vec<Vec<LinePoint>>)| {
        let ys = || curves.iter().flatten().map(|point| point.y);
        LinePanel {
            y_title: None,
            guides: Vec::new(),
            title: kind.name().to_owned(),
            x_title: format!("γ ({})", scalings.join(" or ")),
            x: Axis::linear(&levels),
            y: Axis::enclosing(
                ys().fold(f64::INFINITY, f64::min),
                ys().fold(f64::NEG_INFINITY, f64::max),
            ),
            curves,
            reference: None,
        }
    };
    let looks = methods.iter().enumerate();
    Plot::of_lines(
        "noise",
        LineFigure {
            title: "Which treatment of uncertainty wins under which noise".to_owned(),
            note: "Accuracy on test rows, mean over the datasets on which all methods are measured. Each kind of noise has axes of its own; worst-case accuracies are upper \
                   bounds of the robust accuracy."
                .to_owned(),
            y_title: "accuracy (%)",
            series: looks
                .map(|(index, name)| ((*name).to_owned(), hue(index % HUES, index >= HUES)))
                .collect(),
            panels: kinds.iter().zip(curves).map(panel).collect(),
            columns: kinds.len().min(3),
        },
    )
}

/// For each dataset that has results the counts of the first method and of the best on the validation rows among the others,
/// without noise.
pub(super) fn confusions(summary: &Summary<'_>) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (index, task) in summary.plan.tasks.iter().enumerate() {
        let condition = Condition {
            noise: NoiseKind::None,
            level: summary.levels()[0],
        };
        let label = task.label.as_str();
        let panels: Vec<MatrixPanel> = shown(summary, label, condition)
            .into_iter()
            .filter_map(|method| panel(summary, label, method, condition))
            .collect();
        let Ok(loaded) = &task.loaded else { continue };
        if panels.is_empty() {
            continue;
        }
        let figure = MatrixFigure {
            title: format!("Confused classes of {label}"),
            note: "Test rows by their class and what it was taken for, all repeats together; right ones in blue. The first method, and the best of the others on the \
                   validation rows."
                .to_owned(),
            classes: loaded.class_names.clone(),
            panels,
        };
        plots.push(Plot::of_counts(format!("confusion-{}", index + 1), figure));
    }
    plots
}

/// The first method, and the best of the others by its accuracy on validation rows, of equals the first.
fn shown<'a>(summary: &Summary<'a>, dataset: &str, condition: Condition) -> Vec<&'a str> {
    let mut methods = summary.methods();
    let first = methods.next();
    let mut best: Option<(&str, f64)> = None;
    for method in methods {
        let measured = summary.measured(dataset, method, condition).into_iter();
        let values: Vec<f64> = measured.map(|(_, m)| m.validation_accuracy).collect();
        if let Some(Moments { mean, .. }) = Moments::of(&values)
            && best.is_none_or(|(_, best)| mean > best)
        {
            best = Some((method, mean));
        }
    }
    first
        .into_iter()
        .chain(best.map(|(method, _)| method))
        .collect()
}

fn panel(
    summary: &Summary<'_>,
    dataset: &str,
    method: &str,
    condition: Condition,
) -> Option<MatrixPanel> {
    let confusion = summary.confusion(dataset, method, condition)?;
    let classes = 0..confusion.classes();
    let line = |i| classes.clone().map(|j| confusion.entry(i, j)).collect();
    Some(MatrixPanel {
        title: format!("{method}: {} %", two_decimals(confusion.accuracy())),
        counts: classes.clone().map(line).collect(),
    })
}
