//! The figures: log-volumes, scales and differences of errors against the noise level.

use super::interval::Interval;
use super::plan::{Method, SafePlan};
use super::row::SafeRow;
use super::spec::NoiseShape;
use super::summary::{Entry, Error, entries};
use crate::plot::{Axis, LineFigure, LinePanel, LinePoint, SeriesStyle, hue};
use robust_svm_core::data::Scaling;

/// Panels in a row at most.
const COLUMNS: usize = 3;

/// The figures with the names of their files.
pub(crate) fn figures(plan: &SafePlan, rows: &[SafeRow]) -> Vec<(String, LineFigure)> {
    let entries = entries(plan, rows);
    vec![
        ("safe-volume".to_owned(), volumes(plan, &entries)),
        ("safe-scales".to_owned(), scales(plan, &entries)),
        ("safe-differences".to_owned(), differences(plan, &entries)),
    ]
}

fn volumes(plan: &SafePlan, entries: &[Entry<'_>]) -> LineFigure {
    let curve = |index: usize| {
        curve(of_task(plan, entries, index), |entry| {
            entry.mean(Method::Safe, |m| m.learnt.map(|l| l.log_volume))
        })
    };
    let tasks = 0..plan.tasks.len();
    let curves: Vec<Vec<LinePoint>> = tasks.clone().map(curve).collect();
    let look = |index: usize| (plan.tasks[index].label.clone(), hue(index, false));
    LineFigure {
        title: "Volume of the ellipsoid that the safe SVM learns".to_owned(),
        note: format!(
            "Mean of ln s over the features against the level of the noise on {}. Bands: 95 % corrected resampled t-intervals over {} repeats. The box of \
             the scales is [{}, {}], from ln s = {:.1} to {:.1}.",
            sits(plan),
            plan.repeats,
            plan.settings.s_min,
            plan.settings.s_max,
            plan.settings.s_min.ln(),
            plan.settings.s_max.ln(),
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
                entry.mean(Method::Safe, |m| m.learnt.and_then(|l| l.s_noisy))
            }),
            curve(entries(), |entry| {
                entry.mean(Method::Safe, |m| m.learnt.and_then(|l| l.s_clean))
            }),
            curve(entries(), |entry| {
                entry.mean(Method::Robust, |m| m.learnt.and_then(|l| l.s_noisy))
            }),
        ];
        panel(plan, &task.label, curves, None)
    };
    LineFigure {
        title: "Scales of the uncertainty on features with noise and without".to_owned(),
        note: format!(
            "Mean of s over the features of each kind; the noise sits on {}. Bands: 95 % corrected resampled t-intervals over {} repeats.",
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

fn differences(plan: &SafePlan, entries: &[Entry<'_>]) -> LineFigure {
    const ERRORS: [(Error, bool); 2] = [(|e| e.noisy, false), (|e| e.robust, true)];
    const OTHERS: [(Method, usize); 2] = [(Method::Robust, 0), (Method::Nominal, 1)];
    let panel_of = |(index, task): (usize, &crate::plan::Task)| {
        let curve_of = |other: Method, error: Error| {
            curve(of_task(plan, entries, index), |entry| {
                let difference = entry.difference(other, error)?;
                Some(Interval {
                    mean: 100.0 * difference.mean,
                    half: difference.half.map(|half| 100.0 * half),
                })
            })
        };
        let curves = OTHERS
            .into_iter()
            .flat_map(|(other, _)| ERRORS.map(|(error, _)| curve_of(other, error)));
        panel(plan, &task.label, curves.collect(), Some(0.0))
    };
    let look = |(other, index): (Method, usize)| -> [(String, SeriesStyle); 2] {
        ERRORS.map(|(_, robust)| {
            let error = if robust {
                "robust error"
            } else {
                "noisy error"
            };
            let name = format!("safe − {}, {error}", other.name());
            (name, hue(index, robust))
        })
    };
    LineFigure {
        title: "Does learning the ellipsoid lower the error?".to_owned(),
        note: format!(
            "Difference of errors in percentage points: below 0 the safe SVM is better. Noisy error: on noisy test rows; robust error: at the worst input of the \
             noise's ellipsoid, exact. Bands: 95 % corrected resampled t-intervals over {} repeats.",
            plan.repeats
        ),
        y_title: "difference (percentage points)",
        series: OTHERS.into_iter().flat_map(look).collect(),
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
    let unit = match plan.scaling {
        Scaling::Standardize => "standard deviations",
        Scaling::MinMax => "half ranges",
        Scaling::None => "units of the data",
    };
    let points = || curves.iter().flatten();
    let start = reference.unwrap_or(f64::INFINITY);
    let low = points().map(|p| p.low).fold(start, f64::min);
    let high = points()
        .map(|p| p.high)
        .fold(reference.unwrap_or(f64::NEG_INFINITY), f64::max);
    LinePanel {
        title: title.to_owned(),
        x_title: format!("noise level ({unit})"),
        x: Axis::linear(&plan.ascending_levels()),
        y: Axis::enclosing(low, high),
        curves,
        reference,
    }
}
