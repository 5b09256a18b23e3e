//! `tables/tightness`: the ratios at the base point, and as data at every point.

use super::plan::TightnessPlan;
use super::row::TightnessRow;
use super::summary::{Entry, entries};
use crate::stats::csv::number;
use crate::table::shown::NONE;
use crate::table::{self, CellsOf, Column, Data, Document, Table};
use robust_svm_bounds::rff::FeatureNorm;

/// The median ratio of each bound on each dataset at the base point of its map.
pub(super) fn table(plan: &TightnessPlan, rows: &[TightnessRow]) -> Document {
    let entries = entries(plan, rows);
    let mut columns = vec![
        Column::names("map", "map"),
        Column::names("bound", "bound"),
        Column::numbers("p̄", "feature_norm"),
    ];
    let datasets = plan.tasks.iter().map(|task| &task.label);
    columns.extend(datasets.map(|label| Column::numbers(label, label)));
    let at_base: Vec<&Entry> = entries
        .iter()
        .filter(|entry| entry.point == plan.base(entry.map))
        .collect();
    let lines = at_base.chunks(plan.tasks.len()).map(line).collect();
    let points: u32 = entries.iter().map(Entry::points).sum();
    let violations: u32 = entries.iter().map(Entry::violations).sum();
    Document {
        name: "tightness".to_owned(),
        title: "Tightness of the feature-uncertainty bounds".to_owned(),
        caption: format!(
            "Γ ÷ the largest movement of the features that an attack finds, in the bound's own norm: median over points, then over {}. \
             1 is a bound that is reached; what the attack misses counts as looseness. {}",
            repeats(plan.repeats),
            base(plan),
        ),
        tables: vec![Table {
            columns,
            lines,
            remark: format!(
                "Points that move farther than the bound, at any point of the axes: {violations} of {points}."
            ),
            ..Table::default()
        }],
        data: data(plan, &entries),
    }
}

/// One bound of one map on every dataset.
fn line(entries: &[&Entry]) -> Vec<table::Entry> {
    let (map, bound) = (entries[0].map.map.name(), entries[0].bound);
    let norm = match bound.norm() {
        FeatureNorm::One => "1",
        FeatureNorm::Two => "2",
        FeatureNorm::Infinity => "∞",
    };
    let names = [map, bound.name(), norm].map(table::Entry::name);
    let results = entries.iter().map(|entry| {
        let ratio = entry.ratio();
        table::Entry::result(shown(ratio), ratio, [cells_of(entry)])
    });
    names.into_iter().chain(results).collect()
}

fn cells_of(entry: &Entry) -> CellsOf {
    let point = entry.point;
    let of_dataset = CellsOf {
        dataset: Some(entry.dataset.to_owned()),
        ..CellsOf::default()
    };
    of_dataset
        .and("map", Some(entry.map.map.name().to_owned()))
        .and("bound", Some(entry.bound.name().to_owned()))
        .and("n", point.n.count().map(|n| n.to_string()))
        .and("size", Some(point.size.to_string()))
        .and("sigma_times_median", Some(point.sigma.to_string()))
        .and("gamma", Some(point.gamma.to_string()))
}

/// Medians and extremes over repeats at every point of the axes, with all digits.
fn data(plan: &TightnessPlan, entries: &[Entry]) -> Data {
    let mut data = Data::new([
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
        "n_features",
        "rows",
    ]);
    for entry in entries {
        let point = entry.point;
        let rows = plan.tasks.iter().find(|task| task.label == entry.dataset);
        data.records.push(vec![
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
            entry
                .n_features()
                .map_or_else(String::new, |n| n.to_string()),
            rows.map_or_else(String::new, |task| task.loaded.data.rows().to_string()),
        ]);
    }
    data
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
        None => NONE.to_owned(),
        Some(ratio) if ratio.is_infinite() => "∞".to_owned(),
        Some(ratio) if ratio < 99.95 => format!("{ratio:.2}"),
        Some(ratio) if ratio < 1e5 => format!("{ratio:.0}"),
        Some(ratio) => format!("{ratio:.1e}"),
    }
}
