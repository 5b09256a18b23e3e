//! The table of methods and metrics that moved.

use super::few_repeats::{FewRepeats, LEAST_LOSS};
use super::series::Tested;
use crate::table::markdown::table as markdown;
use crate::table::shown::counted;
use crate::table::{Column, Entry, Table};
use std::fmt;

/// The methods and metrics that moved, worse before better and surer before less sure.
pub(super) fn write_tests(
    f: &mut fmt::Formatter<'_>,
    tested: &[Tested],
    alpha: f64,
) -> fmt::Result {
    let mut moved: Vec<&Tested> = tested.iter().filter(|t| t.series.moved()).collect();
    moved.sort_by(|a, b| {
        let place = |t: &Tested| (t.series.is_better(), t.p().alone);
        let ((better, p), (other_better, other_p)) = (place(a), place(b));
        better.cmp(&other_better).then(p.total_cmp(&other_p))
    });
    let repeats = tested.iter().map(|t| t.series.differences.len()).min();
    writeln!(
        f,
        "sign-flip tests over {} repeats: {} of {} moved (means over datasets and levels, in %; differences in points)",
        repeats.unwrap_or(0),
        moved.len(),
        counted(tested.len(), "method × metric pair"),
    )?;
    if moved.is_empty() {
        return Ok(());
    }
    let percent = (1e5 * (1.0 - alpha)).round() / 1e3;
    let interval = format!("{percent} % interval");
    let names = ["method", "metric", ""].map(|heading| Column::names(heading, heading));
    let numbers = ["baseline", "now", "difference", &interval, "p", "Holm p"]
        .map(|heading| Column::numbers(heading, heading));
    let table = Table {
        columns: names.into_iter().chain(numbers).collect(),
        lines: moved.iter().map(|t| line(t, alpha)).collect(),
        ..Table::default()
    };
    writeln!(f, "\n{}\n", markdown(&table))
}

/// A line for each method and metric that lost much in a few repeats.
pub(super) fn write_few_repeats(f: &mut fmt::Formatter<'_>, lost: &[FewRepeats]) -> fmt::Result {
    for lost in lost {
        let repeats: Vec<String> = lost.repeats.iter().map(u32::to_string).collect();
        let noun = if repeats.len() == 1 { "" } else { "s" };
        writeln!(
            f,
            "{} {}: more than {} lost in repeat{noun} {}, {:.2} points at most, while half of the repeats or more are as they were",
            lost.method,
            lost.metric,
            counted((100.0 * LEAST_LOSS) as usize, "point"),
            repeats.join(", "),
            100.0 * lost.largest,
        )?;
    }
    Ok(())
}

fn line(tested: &Tested, alpha: f64) -> Vec<Entry> {
    let series = &tested.series;
    let (baseline, difference) = (series.baseline_mean(), series.difference());
    let p = tested.p();
    let direction = match (series.is_better(), p.holm <= alpha) {
        (true, true) => "better",
        (false, true) => "worse",
        (_, false) => "",
    };
    let interval = series.interval(alpha).map_or_else(
        || "–".to_owned(),
        |(low, high)| format!("{} to {}", points(low), points(high)),
    );
    let fields = [
        series.method.clone(),
        series.metric.name.to_owned(),
        direction.to_owned(),
        format!("{:.2}", 100.0 * baseline),
        format!("{:.2}", 100.0 * (baseline + difference)),
        points(difference),
        interval,
        probability(p.alone),
        probability(p.holm),
    ];
    fields.map(Entry::name).into()
}

/// A difference of shares in points, with its sign.
fn points(difference: f64) -> String {
    let shown = format!("{:+.2}", 100.0 * difference);
    match shown.as_str() {
        "+0.00" | "-0.00" => "0.00".to_owned(),
        _ => shown.replace('-', "−"),
    }
}

fn probability(p: f64) -> String {
    if p < 1e-4 {
        format!("{p:.1e}")
    } else {
        format!("{p:.4}")
    }
}
