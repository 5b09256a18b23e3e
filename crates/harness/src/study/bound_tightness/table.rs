//! `tables/tightness`: the ratios at the base point in Markdown, at every point in CSV.

use super::plan::TightnessPlan;
use super::row::TightnessRow;
use super::summary::{Entry, entries};
use crate::stats::csv::{number, record};
use crate::table::markdown::table;
use robust_svm_bounds::rff::FeatureNorm;
use std::fmt::Write as _;

/// The median ratio of each bound on each dataset at the base point of its map.
pub(crate) fn markdown(plan: &TightnessPlan, rows: &[TightnessRow]) -> String {
    let entries = entries(plan, rows);
    let mut header = vec!["map".to_owned(), "bound".to_owned(), "p̄".to_owned()];
    header.extend(plan.tasks.iter().map(|task| task.label.clone()));
    let mut lines = Vec::new();
    let at_base: Vec<&Entry> = entries
        .iter()
        .filter(|entry| entry.point == plan.base(entry.map))
        .collect();
    for line in at_base.chunks(plan.tasks.len()) {
        let norm = match line[0].bound.norm() {
            FeatureNorm::One => "1",
            FeatureNorm::Two => "2",
            FeatureNorm::Infinity => "∞",
        };
        let names = [line[0].map.map.name(), line[0].bound.name(), norm];
        let ratios = line.iter().map(|entry| shown(entry.ratio()));
        lines.push(names.into_iter().map(str::to_owned).chain(ratios).collect());
    }
    let mut text = format!(
        "# Tightness of the feature-uncertainty bounds\n\n\
         Γ ÷ the largest movement of the features that an attack finds, in the bound's own norm: median over points, then over {}. \
         1 is a bound that is reached; what the attack misses counts as looseness. {}\n\n{}",
        repeats(plan.repeats),
        base(plan),
        table(&header, 2, &lines),
    );
    let points: u32 = entries.iter().map(Entry::points).sum();
    let violations: u32 = entries.iter().map(Entry::violations).sum();
    let _ = writeln!(
        text,
        "\nPoints that move farther than the bound, at any point of the axes: {violations} of {points}."
    );
    text
}

/// Medians and extremes over repeats at every point of the axes, with all digits.
pub(crate) fn csv(plan: &TightnessPlan, rows: &[TightnessRow]) -> String {
    let header = [
        "map",
        "bound",
        "dataset",
        "n",
        "size",
        "sigma_times_median",
        "gamma",
        "radius_mean",
        "movement_mean",
        "ratio_median",
        "ratio_max",
        "points",
        "violations",
    ];
    let mut csv = record(&header.map(str::to_owned));
    for entry in entries(plan, rows) {
        let point = entry.point;
        csv += &record(&[
            entry.map.map.name().to_owned(),
            entry.bound.name().to_owned(),
            entry.dataset.to_owned(),
            point.n.to_string(),
            point.size.to_string(),
            number(Some(point.sigma)),
            number(Some(point.gamma)),
            number(entry.over_repeats(|m| m.radius_mean)),
            number(entry.over_repeats(|m| m.movement_mean)),
            number(entry.ratio()),
            number(entry.largest_ratio()),
            entry.points().to_string(),
            entry.violations().to_string(),
        ]);
    }
    csv
}

/// The base point in words.
pub(super) fn base(plan: &TightnessPlan) -> String {
    let size = |map: &super::plan::MapPlan| format!("{} for {}", map.size.base, map.map.name());
    let sizes: Vec<String> = plan.maps.iter().map(size).collect();
    format!(
        "Base point: {} inputs, σ = {} × the median distance, γ = {}, D or m = {}.",
        plan.n.base,
        plan.sigma.base,
        plan.gamma.base,
        sizes.join(", "),
    )
}

/// A number of repeats in words.
pub(super) fn repeats(repeats: u32) -> String {
    match repeats {
        1 => "1 repeat".to_owned(),
        _ => format!("{repeats} repeats"),
    }
}

/// A ratio with two decimals, without where they say nothing.
fn shown(ratio: Option<f64>) -> String {
    match ratio {
        None => "—".to_owned(),
        Some(ratio) if ratio.is_infinite() => "∞".to_owned(),
        Some(ratio) if ratio < 99.95 => format!("{ratio:.2}"),
        Some(ratio) if ratio < 1e5 => format!("{ratio:.0}"),
        Some(ratio) => format!("{ratio:.1e}"),
    }
}
