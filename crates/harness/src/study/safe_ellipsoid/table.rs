//! `tables/safe`: errors and their differences, and the ellipsoids.

use super::plan::{Method, SafePlan};
use super::row::{Measurement, SafeRow};
use super::spec::NoiseShape;
use super::summary::{Entry, Error, entries};
use crate::stats::Interval;
use crate::stats::csv::{number, record};
use crate::table::markdown::table;
use std::fmt::Write as _;

/// The errors shown, with their names.
const ERRORS: [(&str, &str, Error); 3] = [
    ("noisy", "Error on noisy test rows", |e| e.noisy),
    (
        "robust",
        "Robust error: at the worst input of the noise's ellipsoid",
        |e| e.robust,
    ),
    ("clean", "Error on test rows without noise", |e| e.clean),
];

/// A table for each error, and one of the ellipsoids.
pub(crate) fn markdown(plan: &SafePlan, rows: &[SafeRow]) -> String {
    let entries = entries(plan, rows);
    let sits = match plan.shape {
        NoiseShape::Half => "a random half of the features",
        NoiseShape::All => "all features",
    };
    let mut text = format!(
        "# Safe, robust and nominal SVM\n\n\
         Training, validation and test inputs have normal noise on {sits}, its standard deviation there the level. Safe learns the scales s of \
         an ellipsoid on the validation rows; robust chooses the radius γ of a sphere on them, nominal has no uncertainty; λ is chosen on them for all, each \
         by the least hinge loss. Errors in percent, differences in percentage points: below 0 safe is better. Means over {} repeats with \
         95 % corrected resampled t-intervals (Nadeau & Bengio 2003); * where the interval leaves out 0.\n",
        plan.repeats
    );
    for (_, title, error) in ERRORS {
        let counts = [Method::Robust, Method::Nominal].map(|other| clear(&entries, other, error));
        let table = errors(&entries, error);
        let [robust, nominal] = counts;
        let _ = write!(text, "\n## {title}\n\n{table}\n{robust} {nominal}\n");
    }
    text + &format!(
        "\n## Ellipsoids\n\n\
         Log-volume: mean of ln s over the features; s: mean over the features with noise and without. Loss: mean hinge loss of the validation rows, \
         which safe starts from at the sphere with the same λ. Stationary: descents that ended at a stationary point.\n\n{}",
        ellipsoids(&entries)
    )
}

/// How often the interval leaves out 0, on either side.
fn clear(entries: &[Entry<'_>], other: Method, error: Error) -> String {
    let all = entries
        .iter()
        .filter_map(|entry| entry.difference(other, error));
    let all: Vec<Interval> = all.filter(|interval| interval.half.is_some()).collect();
    let (better, worse) = (
        all.iter().filter(|interval| interval.high() < 0.0).count(),
        all.iter().filter(|interval| interval.low() > 0.0).count(),
    );
    let (name, lines) = (other.name(), all.len());
    format!(
        "Of {lines} lines, safe is clearly better than {name} on {better} and clearly worse on {worse}."
    )
}

fn errors(entries: &[Entry<'_>], error: Error) -> String {
    let header = [
        "dataset",
        "level",
        "safe",
        "robust",
        "nominal",
        "safe − robust",
        "safe − nominal",
    ];
    let line = |entry: &Entry<'_>| -> Vec<String> {
        let mean = |method| {
            let mean = entry.mean(method, |m| Some(error(&m.errors)));
            shown(mean.map(|mean| format!("{:.1}", 100.0 * mean.mean)))
        };
        let difference = |other| shown(entry.difference(other, error).map(points));
        vec![
            entry.dataset.to_owned(),
            entry.level.to_string(),
            mean(Method::Safe),
            mean(Method::Robust),
            mean(Method::Nominal),
            difference(Method::Robust),
            difference(Method::Nominal),
        ]
    };
    let lines: Vec<Vec<String>> = entries.iter().map(line).collect();
    table(&header.map(str::to_owned), 1, &lines)
}

fn ellipsoids(entries: &[Entry<'_>]) -> String {
    let header = [
        "dataset",
        "level",
        "log-volume",
        "s, noisy",
        "s, clean",
        "noisy − clean",
        "γ of robust",
        "loss, safe",
        "loss, robust",
        "stationary",
    ];
    let line = |entry: &Entry<'_>| -> Vec<String> {
        let mean = |method, get: fn(&Measurement) -> Option<f64>| {
            let mean = entry.mean(method, get);
            shown(mean.map(|mean| format!("{:.3}", mean.mean).replace('-', "−")))
        };
        let (stationary, all) = entry.ended("stationary");
        vec![
            entry.dataset.to_owned(),
            entry.level.to_string(),
            mean(Method::Safe, |m| m.learnt.map(|l| l.log_volume)),
            mean(Method::Safe, |m| m.learnt.and_then(|l| l.s_noisy)),
            mean(Method::Safe, |m| m.learnt.and_then(|l| l.s_clean)),
            shown(entry.mean(Method::Safe, contrast).map(scale_points)),
            mean(Method::Robust, |m| m.learnt.and_then(|l| l.s_noisy)),
            mean(Method::Safe, |m| Some(m.validation_loss)),
            mean(Method::Robust, |m| Some(m.validation_loss)),
            format!("{stationary}/{all}"),
        ]
    };
    let lines: Vec<Vec<String>> = entries.iter().map(line).collect();
    table(&header.map(str::to_owned), 1, &lines)
}

/// Every number with all digits: a line for each dataset, level and quantity.
pub(crate) fn csv(plan: &SafePlan, rows: &[SafeRow]) -> String {
    let header = ["dataset", "level", "quantity", "mean", "low", "high"];
    let mut csv = record(&header.map(str::to_owned));
    for entry in entries(plan, rows) {
        for (quantity, interval) in quantities(&entry) {
            let end = |end: fn(&Interval) -> f64| {
                let known = interval.as_ref().filter(|i| i.half.is_some());
                number(known.map(end))
            };
            csv += &record(&[
                entry.dataset.to_owned(),
                entry.level.to_string(),
                quantity,
                number(interval.map(|i| i.mean)),
                end(Interval::low),
                end(Interval::high),
            ]);
        }
    }
    csv
}

fn quantities(entry: &Entry<'_>) -> Vec<(String, Option<Interval>)> {
    let mut quantities = Vec::new();
    for (name, _, error) in ERRORS {
        for method in Method::ALL {
            let mean = entry.mean(method, |m| Some(error(&m.errors)));
            quantities.push((format!("{name}_error_{}", method.name()), mean));
        }
        for other in [Method::Robust, Method::Nominal] {
            let name = format!("{name}_error_safe_less_{}", other.name());
            quantities.push((name, entry.difference(other, error)));
        }
    }
    for method in [Method::Safe, Method::Robust] {
        let mut add = |name: &str, get: fn(&Measurement) -> Option<f64>| {
            let name = format!("{name}_{}", method.name());
            quantities.push((name, entry.mean(method, get)));
        };
        add("log_volume", |m| m.learnt.map(|l| l.log_volume));
        add("s_noisy", |m| m.learnt.and_then(|l| l.s_noisy));
        add("s_clean", |m| m.learnt.and_then(|l| l.s_clean));
    }
    let difference = entry.mean(Method::Safe, contrast);
    quantities.push(("s_noisy_less_s_clean_safe".to_owned(), difference));
    for method in Method::ALL {
        let mean = entry.mean(method, |m| Some(m.validation_loss));
        quantities.push((format!("validation_loss_{}", method.name()), mean));
    }
    quantities
}

fn shown(text: Option<String>) -> String {
    text.unwrap_or_else(|| "—".to_owned())
}

/// By how much the mean scale of features with noise is above that of the others.
fn contrast(m: &Measurement) -> Option<f64> {
    let learnt = m.learnt?;
    Some(learnt.s_noisy? - learnt.s_clean?)
}

/// A difference of errors in percentage points with its interval.
fn points(interval: Interval) -> String {
    with_interval(interval, |value| format!("{:+.1}", 100.0 * value))
}

/// A difference of scales with its interval.
fn scale_points(interval: Interval) -> String {
    with_interval(interval, |value| format!("{value:+.2}"))
}

fn with_interval(interval: Interval, number: impl Fn(f64) -> String) -> String {
    let written = |value| number(value).replace('-', "−");
    let mean = written(interval.mean);
    if interval.half.is_none() {
        return mean;
    }
    let ends = [interval.low(), interval.high()].map(written);
    let clear = interval.high() < 0.0 || interval.low() > 0.0;
    let star = if clear { " *" } else { "" };
    format!("{mean} [{}, {}]{star}", ends[0], ends[1])
}
