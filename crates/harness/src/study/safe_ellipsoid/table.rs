//! `tables/safe`: errors and their differences, and the ellipsoids.

use super::plan::{Method, SafePlan};
use super::row::{Measurement, SafeRow};
use super::spec::NoiseShape;
use super::summary::{Entry, Error, entries};
use crate::stats::Interval;
use crate::stats::csv::number;
use crate::table::shown::NONE;
use crate::table::{self, CellsOf, Column, Data, Document, Table};

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

/// What safe is compared with.
const OTHERS: [Method; 2] = [Method::Robust, Method::Nominal];

/// A table for each error, and one of the ellipsoids.
pub(super) fn table(plan: &SafePlan, rows: &[SafeRow]) -> Document {
    let entries = entries(plan, rows);
    let sits = match plan.shape {
        NoiseShape::Half => "a random half of the features",
        NoiseShape::All => "all features",
    };
    let of_error =
        |&(name, title, error): &(&str, &str, Error)| errors(&entries, name, title, error);
    let mut tables: Vec<Table> = ERRORS.iter().map(of_error).collect();
    tables.push(ellipsoids(&entries));
    Document {
        name: "safe".to_owned(),
        title: "Safe, robust and nominal SVM".to_owned(),
        caption: format!(
            "Training, validation and test inputs have normal noise on {sits}, its standard deviation there the level. Safe learns the scales s of \
             an ellipsoid on the validation rows; robust chooses the radius γ of a sphere on them, nominal has no uncertainty; λ is chosen on them for all, each \
             by the least hinge loss. Errors in percent, differences in percentage points: below 0 safe is better. Means over {} repeats with \
             95 % corrected resampled t-intervals (Nadeau & Bengio 2003); * where the interval leaves out 0.",
            plan.repeats
        ),
        tables,
        data: data(&entries),
    }
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

fn errors(entries: &[Entry<'_>], name: &str, title: &str, error: Error) -> Table {
    let mut columns = names();
    for method in Method::ALL {
        let key = format!("{name}_error_{}", method.name());
        columns.push(Column::numbers(method.name(), key).in_unit("%"));
    }
    for other in OTHERS {
        let key = format!("{name}_error_safe_less_{}", other.name());
        let heading = format!("safe − {}", other.name());
        columns.push(Column::numbers(heading, key).in_unit("%"));
    }
    let line = |entry: &Entry<'_>| {
        let mean = |method| {
            let mean = entry.mean(method, |m| Some(error(&m.errors)));
            let text = mean.map(|mean| format!("{:.1}", 100.0 * mean.mean));
            result(entry, text, mean.map(|mean| mean.mean), &[method])
        };
        let difference = |other| {
            let difference = entry.difference(other, error);
            let numbers = difference.into_iter().flat_map(numbers);
            result(
                entry,
                difference.map(points),
                numbers,
                &[Method::Safe, other],
            )
        };
        let means = Method::ALL.map(mean).into_iter();
        let differences = OTHERS.map(difference);
        line_names(entry)
            .into_iter()
            .chain(means)
            .chain(differences)
            .collect()
    };
    Table {
        title: Some(title.to_owned()),
        columns,
        lines: entries.iter().map(line).collect(),
        remark: OTHERS.map(|other| clear(entries, other, error)).join(" "),
        ..Table::default()
    }
}

fn ellipsoids(entries: &[Entry<'_>]) -> Table {
    let results = [
        ("log-volume", "log_volume_safe"),
        ("s, noisy", "s_noisy_safe"),
        ("s, clean", "s_clean_safe"),
        ("noisy − clean", "s_noisy_less_s_clean_safe"),
        ("γ of robust", "s_noisy_robust"),
        ("loss, safe", "validation_loss_safe"),
        ("loss, robust", "validation_loss_robust"),
        ("stationary", "stationary"),
    ];
    let results = results.map(|(heading, key)| Column::numbers(heading, key));
    let line = |entry: &Entry<'_>| {
        let mean = |method, get: fn(&Measurement) -> Option<f64>| {
            let mean = entry.mean(method, get).map(|mean| mean.mean);
            let text = mean.map(|mean| format!("{mean:.3}").replace('-', "−"));
            result(entry, text, mean, &[method])
        };
        let (stationary, all) = entry.ended("stationary");
        let contrast = entry.mean(Method::Safe, contrast);
        let ended = format!("{stationary}/{all}");
        let counts = [stationary as f64, all as f64];
        let results = [
            mean(Method::Safe, |m| m.learnt.map(|l| l.log_volume)),
            mean(Method::Safe, |m| m.learnt.and_then(|l| l.s_noisy)),
            mean(Method::Safe, |m| m.learnt.and_then(|l| l.s_clean)),
            result(
                entry,
                contrast.map(scale_points),
                contrast.into_iter().flat_map(numbers),
                &[Method::Safe],
            ),
            mean(Method::Robust, |m| m.learnt.and_then(|l| l.s_noisy)),
            mean(Method::Safe, |m| Some(m.validation_loss)),
            mean(Method::Robust, |m| Some(m.validation_loss)),
            result(entry, Some(ended), counts, &[Method::Safe]),
        ];
        line_names(entry).into_iter().chain(results).collect()
    };
    Table {
        title: Some("Ellipsoids".to_owned()),
        caption: "Log-volume: mean of ln s over the features; s: mean over the features with noise and without. Loss: mean hinge loss of the validation rows, \
                  which safe starts from at the sphere with the same λ. Stationary: descents that ended at a stationary point."
            .to_owned(),
        columns: names().into_iter().chain(results).collect(),
        lines: entries.iter().map(line).collect(),
        ..Table::default()
    }
}

/// The columns that name a line.
fn names() -> Vec<Column> {
    vec![
        Column::names("dataset", "dataset"),
        Column::numbers("level", "level"),
    ]
}

fn line_names(entry: &Entry<'_>) -> [table::Entry; 2] {
    [entry.dataset.to_owned(), entry.level.to_string()].map(table::Entry::name)
}

/// What the cells of some methods come to on an entry's dataset and level.
fn result(
    entry: &Entry<'_>,
    text: Option<String>,
    numbers: impl IntoIterator<Item = f64>,
    methods: &[Method],
) -> table::Entry {
    let text = text.unwrap_or_else(|| NONE.to_owned());
    let cells = |method: &Method| CellsOf::triple(entry.dataset, method.name(), entry.level);
    table::Entry::result(text, numbers, methods.iter().map(cells))
}

/// The numbers of an interval in the order in which they are displayed.
fn numbers(interval: Interval) -> Vec<f64> {
    match interval.half {
        Some(_) => vec![interval.mean, interval.low(), interval.high()],
        None => vec![interval.mean],
    }
}

/// Every number with all digits: a record for each dataset, level and quantity.
fn data(entries: &[Entry<'_>]) -> Data {
    let mut data = Data::new(["dataset", "level", "quantity", "mean", "low", "high"]);
    for entry in entries {
        for (quantity, interval) in quantities(entry) {
            let end = |end: fn(&Interval) -> f64| {
                let known = interval.as_ref().filter(|i| i.half.is_some());
                number(known.map(end))
            };
            data.records.push(vec![
                entry.dataset.to_owned(),
                entry.level.to_string(),
                quantity,
                number(interval.map(|i| i.mean)),
                end(Interval::low),
                end(Interval::high),
            ]);
        }
    }
    data
}

fn quantities(entry: &Entry<'_>) -> Vec<(String, Option<Interval>)> {
    let mut quantities = Vec::new();
    for (name, _, error) in ERRORS {
        for method in Method::ALL {
            let mean = entry.mean(method, |m| Some(error(&m.errors)));
            quantities.push((format!("{name}_error_{}", method.name()), mean));
        }
        for other in OTHERS {
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
