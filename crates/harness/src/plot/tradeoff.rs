//! What robustness costs: accuracy on clean test points against the robust accuracy, from a summary.

use super::axis::Axis;
use super::curves::mean_note;
use super::picture::{Picture, Plot};
use super::tradeoff_figure::TradeoffFigure;
use super::tradeoff_panel::{Front, TradeoffPanel, TradeoffPoint};
use crate::stats::{Axes, LevelUnit, SummaryRow, pareto_front};

/// The figure `tradeoff`: a panel a dataset, a point a method and level; none where no level is above 0, as certified and clean
/// accuracy are the same there, or where nothing was measured.
pub fn tradeoff_plot(summary: &[SummaryRow], axes: &Axes) -> Option<Plot> {
    let mut levels: Vec<usize> = (0..axes.levels.len()).collect();
    levels.retain(|&level| axes.levels[level] > 0.0);
    levels.sort_by(|&a, &b| axes.levels[a].total_cmp(&axes.levels[b]));
    let points = |dataset: usize| -> Vec<Vec<Option<TradeoffPoint>>> {
        let of_method = |method: usize| {
            let at = |&level: &usize| point(&summary[axes.index(dataset, method, level)]);
            levels.iter().map(at).collect()
        };
        (0..axes.methods.len()).map(of_method).collect()
    };
    let points: Vec<_> = (0..axes.datasets.len()).map(points).collect();
    let all = || points.iter().flatten().flatten().flatten();
    all().next()?;
    let letter = if axes.unit == LevelUnit::Chance {
        "ε"
    } else {
        "γ"
    };
    let panel = |(title, points): (&String, Vec<Vec<Option<TradeoffPoint>>>)| TradeoffPanel {
        title: title.clone(),
        x: axis(&points, |point| [point.certified, point.attacked]),
        y: axis(&points, |point| [point.clean; 2]),
        fronts: fronts(&points, &levels, axes, letter),
        points,
    };
    let figure = TradeoffFigure {
        title: "Accuracy on clean test points against robust accuracy".to_owned(),
        note: format!(
            "A marker for each method and level {letter} > 0, those of a method joined: right is more certified robust accuracy, up is more clean accuracy. \
             The thin line to the right of a marker ends at the accuracy that an attack leaves. Grey steps: the Pareto front of a level, \
             the methods that no other is better than in both. {}",
            mean_note(summary)
        ),
        methods: axes.methods.clone(),
        robust: axes
            .methods
            .iter()
            .map(|name| axes.robust.contains(name))
            .collect(),
        panels: axes.datasets.iter().zip(points).map(panel).collect(),
    };
    Some(Plot::new("tradeoff", Picture::Tradeoff(figure)))
}

/// A method's accuracies at a level, in percent.
fn point(row: &SummaryRow) -> Option<TradeoffPoint> {
    let performance = row.metrics?.performance;
    let point = TradeoffPoint {
        clean: 100.0 * performance.accuracy.mean,
        certified: 100.0 * (1.0 - performance.certified_error.mean),
        attacked: 100.0 * (1.0 - performance.attack_error.mean),
    };
    let finite = [point.clean, point.certified, point.attacked].map(f64::is_finite);
    (finite == [true; 3]).then_some(point)
}

/// An axis that encloses both `ends` of every point.
fn axis(points: &[Vec<Option<TradeoffPoint>>], ends: fn(&TradeoffPoint) -> [f64; 2]) -> Axis {
    let all = || points.iter().flatten().flatten().flat_map(ends);
    let low = all().fold(f64::INFINITY, f64::min);
    Axis::enclosing(low, all().fold(f64::NEG_INFINITY, f64::max))
}

/// The front of each level that has points.
fn fronts(
    points: &[Vec<Option<TradeoffPoint>>],
    levels: &[usize],
    axes: &Axes,
    letter: &str,
) -> Vec<Front> {
    let front = |(place, &level): (usize, &usize)| {
        let there = points.iter().filter_map(|of_method| of_method[place]);
        let there: Vec<(f64, f64)> = there.map(|point| (point.certified, point.clean)).collect();
        let points: Vec<_> = pareto_front(&there)
            .into_iter()
            .map(|index| there[index])
            .collect();
        (!points.is_empty()).then(|| Front {
            label: format!("{letter} = {}", axes.levels[level]),
            points,
        })
    };
    levels.iter().enumerate().filter_map(front).collect()
}
