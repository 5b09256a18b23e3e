//! Curves of a classification's rows: a metric against the level.

use crate::plot::{Axis, LinePanel, LinePoint};
use crate::stats::{Axes, Moments};
use crate::store::{CellRow, Measurement};

/// A number of a cell in percent; none where there is no such number.
pub(super) type Metric = fn(&Measurement) -> Option<f64>;

/// The datasets that figures of few panels show.
const SHOWN: [&str; 4] = [
    "breast-cancer-wisconsin-diagnostic",
    "ionosphere",
    "spambase",
    "magic-gamma",
];

/// As many of those as the experiment has.
pub(super) fn shown(axes: &Axes) -> Vec<&'static str> {
    let present = |name: &&str| axes.datasets.iter().any(|dataset| dataset == name);
    SHOWN.into_iter().filter(present).collect()
}

/// The name that a dataset has in figures.
pub(super) fn short_name(dataset: &str) -> &str {
    match dataset {
        "breast-cancer-wisconsin-diagnostic" => "breast cancer",
        "heart-statlog" => "heart",
        "magic-gamma" => "magic gamma",
        "vehicle-bus-van" => "vehicle",
        "wine-1-2" => "wine",
        other => other,
    }
}

/// The curve of `method` on `dataset` over ascending levels: the mean of `line` over repeats, in a band between it and that of
/// `other`.
pub(super) fn curve(
    rows: &[CellRow],
    axes: &Axes,
    (dataset, method): (&str, &str),
    (line, other): (Metric, Metric),
) -> Vec<LinePoint> {
    let mut levels = axes.levels.clone();
    levels.sort_by(f64::total_cmp);
    let mean = |level: f64, metric: Metric| {
        let cells = rows
            .iter()
            .filter(|row| row.dataset == dataset && row.method == method && row.level == level);
        let values: Vec<f64> = cells
            .filter_map(|row| metric(row.measurement.as_ref()?))
            .collect();
        Some(Moments::of(&values)?.mean)
    };
    let point = |level: f64| {
        let (y, other) = (mean(level, line)?, mean(level, other)?);
        Some(LinePoint {
            x: level,
            y,
            low: y.min(other),
            high: y.max(other),
        })
    };
    levels.into_iter().filter_map(point).collect()
}

/// A panel of curves in percent against the level.
pub(super) fn panel(
    title: &str,
    axes: &Axes,
    from_zero: bool,
    curves: Vec<Vec<LinePoint>>,
) -> LinePanel {
    let points = || curves.iter().flatten();
    let start = if from_zero { 0.0 } else { f64::INFINITY };
    let low = points().map(|point| point.low).fold(start, f64::min);
    let high = points().map(|point| point.high).fold(0.0, f64::max);
    let ends = axes.levels.iter().copied();
    let (first, last) = (
        ends.clone().fold(f64::INFINITY, f64::min),
        ends.fold(f64::NEG_INFINITY, f64::max),
    );
    LinePanel {
        y_title: None,
        guides: Vec::new(),
        title: title.to_owned(),
        x_title: format!("{} ({})", axes.unit.heading(), axes.unit.words()),
        x: Axis::enclosing(first, last),
        y: Axis::enclosing(low, high),
        curves,
        reference: None,
    }
}

#[cfg(test)]
mod tests {
    use super::shown;
    use crate::stats::{Axes, LevelUnit};

    #[test]
    fn only_datasets_of_the_experiment_are_drawn() {
        let axes = Axes {
            datasets: vec!["spambase".into(), "a".into(), "ionosphere".into()],
            methods: Vec::new(),
            robust: Vec::new(),
            levels: Vec::new(),
            unit: LevelUnit::Data,
        };
        assert_eq!(shown(&axes), ["ionosphere", "spambase"]);
    }
}
