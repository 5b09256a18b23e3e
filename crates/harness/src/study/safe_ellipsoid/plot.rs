//! The figures: log-volumes, scales and differences of errors against the noise level.

use super::plan::{Method, SafePlan};
use super::row::{Measurement, SafeRow};
use super::spec::NoiseShape;
use super::summary::{Entry, Error, entries};
use crate::plan::common_scaling;
use crate::plot::{Axis, LineFigure, LinePanel, LinePoint, Plot, hue};
use crate::stats::Interval;
use robust_svm_core::data::Scaling;

/// Panels in a row at most.
const COLUMNS: usize = 3;
/// The errors.
const NOISY: &str = "noisy error";
const ROBUST: &str = "robust error";

/// The figures.
pub(super) fn plots(plan: &SafePlan, rows: &[SafeRow]) -> Vec<Plot> {
    let entries = entries(plan, rows);
    vec![
        Plot::of_lines("safe-volume", volumes(plan, &entries)),
        Plot::of_lines("safe-scales", scales(plan, &entries)),
        Plot::of_lines(
            "safe-noisy-error",
            differences(plan, &entries, |e| e.noisy, NOISY),
        ),
        Plot::of_lines(
            "safe-robust-error",
            differences(plan, &entries, |e| e.robust, ROBUST),
        ),
    ]
}

fn volumes(plan: &SafePlan, entries: &[Entry<'_>]) -> LineFigure {
    let curve = |index: usize| {
        curve(of_task(plan, entries, index), |entry| {
            mean_alone(entry, Method::Safe, |m| m.learnt.map(|l| l.log_volume))
        })
    };
    let tasks = 0..plan.tasks.len();
    let curves: Vec<Vec<LinePoint>> = tasks.clone().map(curve).collect();
    let look = |index: usize| (plan.tasks[index].label.clone(), hue(index, false));
    LineFigure {
        title: "Volume of the learnt ellipsoid".to_owned(),
        note: format!(
            "Mean of ln s over the features, scales s of the safe SVM; mean over {} repeats. The noise sits on {}. s is kept in [{}, {}].",
            plan.repeats,
            sits(plan),
            plan.settings.s_min,
            plan.settings.s_max,
        ),
        y_title: "mean of ln s",
        series: tasks.map(look).collect(),
        panels: vec![panel(plan, "all datasets", curves, None)],
        columns: 1,
    }
}

fn scales(plan: &SafePlan, entries: &[Entry<'_>]) -> LineFigure {
    let panel_of = |(index, task): (usize, &crate::plan::Task)| {
        let entries = || of_task(plan, entries, index);
        let curves = vec![
            curve(entries(), |entry| {
                mean_alone(entry, Method::Safe, |m| m.learnt.and_then(|l| l.s_noisy))
            }),
            curve(entries(), |entry| {
                mean_alone(entry, Method::Safe, |m| m.learnt.and_then(|l| l.s_clean))
            }),
            curve(entries(), |entry| {
                mean_alone(entry, Method::Robust, |m| m.learnt.and_then(|l| l.s_noisy))
            }),
        ];
        panel(plan, &task.label, curves, Some(0.0))
    };
    LineFigure {
        title: "Scales of the uncertainty on features with noise and without".to_owned(),
        note: format!(
            "Mean of s over the features of each kind; the noise sits on {}. Mean over {} repeats; intervals are in the tables.",
            sits(plan),
            plan.repeats
        ),
        y_title: "mean of s",
        series: vec![
            ("safe, features with noise".to_owned(), hue(1, false)),
            ("safe, features without".to_owned(), hue(0, false)),
            ("robust, γ for all".to_owned(), hue(3, true)),
        ],
        panels: plan.tasks.iter().enumerate().map(panel_of).collect(),
        columns: plan.tasks.len().min(COLUMNS),
    }
}

/// One error's difference between the safe method and the others.
fn differences(plan: &SafePlan, entries: &[Entry<'_>], error: Error, of: &str) -> LineFigure {
    const OTHERS: [Method; 2] = [Method::Robust, Method::Nominal];
    let panel_of = |(index, task): (usize, &crate::plan::Task)| {
        let curve_of = |other: Method| {
            curve(of_task(plan, entries, index), |entry| {
                let difference = entry.difference(other, error)?;
                Some(Interval {
                    mean: 100.0 * difference.mean,
                    half: difference.half.map(|half| 100.0 * half),
                })
            })
        };
        panel(plan, &task.label, OTHERS.map(curve_of).into(), Some(0.0))
    };
    LineFigure {
        title: format!("Does learning the ellipsoid lower the {of}?"),
        note: format!(
            "Difference in percentage points of the {of}: below 0 the safe SVM is better. {} Bands: 95 % corrected resampled t-intervals over {} repeats.",
            match of {
                ROBUST => "On test rows at the worst input of the noise's ellipsoid, exact.",
                _ => "On test rows with noise.",
            },
            plan.repeats
        ),
        y_title: "percentage points",
        series: vec![
            ("safe − robust".to_owned(), hue(0, false)),
            ("safe − nominal".to_owned(), hue(1, true)),
        ],
        panels: plan.tasks.iter().enumerate().map(panel_of).collect(),
        columns: plan.tasks.len().min(COLUMNS),
    }
}

fn sits(plan: &SafePlan) -> &'static str {
    match plan.shape {
        NoiseShape::Half => "a random half of the features",
        NoiseShape::All => "all features",
    }
}

/// A mean without its interval: the bands of so many lines in one panel would hide each other, and the tables have them.
fn mean_alone(
    entry: &Entry<'_>,
    method: Method,
    get: fn(&Measurement) -> Option<f64>,
) -> Option<Interval> {
    let mean = entry.mean(method, get)?;
    Some(Interval { half: None, ..mean })
}

/// The entries of one dataset.
fn of_task<'a, 'b>(
    plan: &'a SafePlan,
    entries: &'a [Entry<'b>],
    index: usize,
) -> impl Iterator<Item = &'a Entry<'b>> {
    let label = plan.tasks[index].label.as_str();
    entries.iter().filter(move |entry| entry.dataset == label)
}

fn curve<'a, 'b: 'a>(
    entries: impl Iterator<Item = &'a Entry<'b>>,
    get: impl Fn(&Entry<'b>) -> Option<Interval>,
) -> Vec<LinePoint> {
    let point = |entry: &Entry<'b>| {
        let interval = get(entry)?;
        Some(LinePoint {
            x: entry.level,
            y: interval.mean,
            low: interval.low(),
            high: interval.high(),
        })
    };
    entries.filter_map(point).collect()
}

fn panel(
    plan: &SafePlan,
    title: &str,
    curves: Vec<Vec<LinePoint>>,
    reference: Option<f64>,
) -> LinePanel {
    let unit = match common_scaling(&plan.tasks) {
        Some(Scaling::Standardize) => "standard deviations",
        Some(Scaling::MinMax) => "half ranges",
        Some(Scaling::None) => "units of the data",
        None => "scaled units",
    };
    let points = || curves.iter().flatten();
    let start = reference.unwrap_or(f64::INFINITY);
    let low = points().map(|p| p.low).fold(start, f64::min);
    let high = points()
        .map(|p| p.high)
        .fold(reference.unwrap_or(f64::NEG_INFINITY), f64::max);
    LinePanel {
        y_title: None,
        guides: Vec::new(),
        title: title.to_owned(),
        x_title: format!("noise level ({unit})"),
        x: Axis::linear(&plan.ascending_levels()),
        y: Axis::enclosing(low, high),
        curves,
        reference,
    }
}
