//! The figures: one a map, a row of panels for each norm of features, a panel for each axis that varies.

use super::plan::{MapPlan, Point, TightnessPlan};
use super::row::TightnessRow;
use super::spec::{MapName, Width};
use super::summary::{Entry, entries};
use super::table::repeats;
use crate::plan::common_scaling;
use crate::plot::{Axis, LineFigure, LinePanel, LinePoint, Plot, hue};
use crate::study::axis::AxisPlan;
use robust_svm_bounds::rff::FeatureNorm;
use robust_svm_bounds::{FeatureBound, bounds_for};
use robust_svm_core::data::Scaling;
use std::fmt::Display;

/// How far a ratio of 1 may be below it.
const ROUNDING: f64 = 1e-6;

/// Each map's figure; none where no axis varies.
pub(super) fn plots(plan: &TightnessPlan, rows: &[TightnessRow]) -> Vec<Plot> {
    let entries = entries(plan, rows);
    let figure = |map: &MapPlan| {
        let axes = varied(plan, map);
        if axes.is_empty() {
            return None;
        }
        let norms = [FeatureNorm::Two, FeatureNorm::One, FeatureNorm::Infinity].into_iter();
        let panels = norms
            .filter(|norm| map.bounds.iter().any(|bound| bound.norm() == *norm))
            .flat_map(|norm| row(&axes, map, norm, &entries))
            .collect();
        let name = format!("tightness-{}", map.map.name());
        Some(Plot::of_lines(name, figure(plan, map, panels, axes.len())))
    };
    plan.maps.iter().filter_map(figure).collect()
}

fn figure(
    plan: &TightnessPlan,
    map: &MapPlan,
    panels: Vec<LinePanel>,
    columns: usize,
) -> LineFigure {
    let (name, size) = match map.map {
        MapName::Rff => ("random Fourier features", "D"),
        MapName::OrthogonalRff => ("orthogonal random Fourier features", "D"),
        MapName::PhasedRff => ("phased random Fourier features", "D"),
        MapName::Nystrom => ("Nyström features", "m"),
    };
    // A bound looks alike on every map of a kind. Every other one dashed: curves that coincide are both seen.
    let registered = families(bounds_for(map.map.kind()));
    let look = |family: &str| {
        let known = registered.iter().position(|other| *other == family);
        let index = known.expect("bounds come from the registry");
        hue(index, index % 2 == 1)
    };
    let series = families(map.bounds.iter().copied()).into_iter();
    LineFigure {
        title: format!("Tightness of the bounds on {name}"),
        note: format!(
            "Γ over the largest movement that an attack finds: 1 is a bound that is reached. One axis varies at a time; the others stand at \
             {} inputs, {size} = {}, σ = {} × median, γ = {}. Line: geometric mean over {} datasets; band: from the least to the \
             largest of them; each a median over points and {}.",
            plan.n.base,
            map.size.base,
            plan.sigma.base,
            plan.gamma.base,
            plan.tasks.len(),
            repeats(plan.repeats),
        ),
        y_title: "Γ ÷ movement",
        series: series
            .map(|family| (family.to_owned(), look(family)))
            .collect(),
        panels,
        columns,
    }
}

/// The names of `bounds`, those that differ in the norm of features alone under one.
fn families(bounds: impl Iterator<Item = &'static dyn FeatureBound>) -> Vec<&'static str> {
    let mut families = Vec::new();
    for family in bounds.map(family) {
        if !families.contains(&family) {
            families.push(family);
        }
    }
    families
}

fn family(bound: &dyn FeatureBound) -> &'static str {
    let name = bound.name();
    match bound.norm() {
        FeatureNorm::One => name.strip_suffix("-1"),
        FeatureNorm::Infinity => name.strip_suffix("-inf"),
        FeatureNorm::Two => None,
    }
    .unwrap_or(name)
}

/// One axis of a figure: its titles, and each value with its place and its point.
struct Varied {
    title: &'static str,
    x_title: String,
    values: Vec<(f64, String, Point)>,
}

/// The axes that vary.
fn varied(plan: &TightnessPlan, map: &MapPlan) -> Vec<Varied> {
    let base = plan.base(map);
    let features = match map.map {
        MapName::Nystrom => "m",
        MapName::Rff | MapName::OrthogonalRff | MapName::PhasedRff => "D",
    };
    let unit = match common_scaling(&plan.tasks) {
        Some(Scaling::Standardize) => "standard deviations",
        Some(Scaling::MinMax) => "half ranges",
        Some(Scaling::None) => "units of the data",
        None => "scaled units",
    };
    let varied = [
        Varied {
            title: "inputs",
            x_title: "n".to_owned(),
            values: widths(&plan.n, |n| Point { n, ..base }),
        },
        Varied {
            title: "features",
            x_title: features.to_owned(),
            values: values(&map.size, |x| x as f64, |size| Point { size, ..base }),
        },
        Varied {
            title: "bandwidth",
            x_title: "σ ÷ median distance".to_owned(),
            values: values(&plan.sigma, |x| x, |sigma| Point { sigma, ..base }),
        },
        Varied {
            title: "set size",
            x_title: format!("γ ({unit})"),
            values: values(&plan.gamma, |x| x, |gamma| Point { gamma, ..base }),
        },
    ];
    varied
        .into_iter()
        .filter(|axis| axis.values.len() > 1)
        .collect()
}

/// A row of panels: the bounds in one norm along each axis.
fn row(axes: &[Varied], map: &MapPlan, norm: FeatureNorm, entries: &[Entry]) -> Vec<LinePanel> {
    let bound_of = |family_name: &str| {
        let is_it =
            |bound: &&&dyn FeatureBound| bound.norm() == norm && family(**bound) == family_name;
        map.bounds.iter().find(is_it)
    };
    let curves = |axis: &Varied| -> Vec<Vec<LinePoint>> {
        let families = families(map.bounds.iter().copied()).into_iter();
        let curve = |name| bound_of(name).map(|bound| curve(axis, map, *bound, entries));
        families
            .map(|name| curve(name).unwrap_or_default())
            .collect()
    };
    let curves: Vec<_> = axes.iter().map(curves).collect();
    let points = || curves.iter().flatten().flatten();
    let low = points().map(|point| point.low).fold(1.0, f64::min);
    let high = points().map(|point| point.high).fold(1.2, f64::max);
    // A bound that is reached may be below 1 by rounding.
    let low = if low > 1.0 - ROUNDING { 1.0 } else { low };
    let y = Axis::logarithmic(low, high);
    let one_norm = map.bounds.iter().all(|bound| bound.norm() == norm);
    let panel = |(axis, curves): (&Varied, Vec<Vec<LinePoint>>)| LinePanel {
        y_title: None,
        guides: Vec::new(),
        title: match norm {
            _ if one_norm => axis.title.to_owned(),
            FeatureNorm::One => format!("{}, 1-norm", axis.title),
            FeatureNorm::Two => format!("{}, 2-norm", axis.title),
            FeatureNorm::Infinity => format!("{}, ∞-norm", axis.title),
        },
        x_title: axis.x_title.clone(),
        x: Axis::at(
            axis.values
                .iter()
                .map(|(x, label, _)| (*x, label.clone()))
                .collect(),
        ),
        y: y.clone(),
        curves,
        reference: None,
    };
    axes.iter().zip(curves).map(panel).collect()
}

/// The values of an axis and the base, in ascending order; the base alone where it does not vary.
fn values<T: Copy + PartialEq + Display>(
    axis: &AxisPlan<T>,
    place: impl Fn(T) -> f64,
    point: impl Fn(T) -> Point,
) -> Vec<(f64, String, Point)> {
    let mut values: Vec<_> = axis
        .all()
        .map(|value| (place(value), value.to_string(), point(value)))
        .collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    values
}

/// The same for numbers of inputs; `all` stands twice as far as the largest number.
fn widths(axis: &AxisPlan<Width>, point: impl Fn(Width) -> Point) -> Vec<(f64, String, Point)> {
    let largest = axis.all().filter_map(Width::count).max().unwrap_or(1);
    let place = |n: Width| n.count().unwrap_or(2 * largest) as f64;
    values(axis, place, point)
}

/// The curve of `bound` along `axis`, without points that have no finite number.
fn curve(
    axis: &Varied,
    map: &MapPlan,
    bound: &dyn FeatureBound,
    entries: &[Entry],
) -> Vec<LinePoint> {
    let at = |(x, _, point): &(f64, String, Point)| {
        let here = |entry: &&Entry| {
            entry.map.map == map.map && *entry.bound == *bound && entry.point == *point
        };
        let ratios = entries.iter().filter(here).filter_map(Entry::ratio);
        let ratios: Vec<f64> = ratios.filter(|r| r.is_finite() && *r > 0.0).collect();
        if ratios.is_empty() {
            return None;
        }
        let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        Some(LinePoint {
            x: *x,
            y: (logarithms / ratios.len() as f64).exp(),
            low: ratios.iter().copied().fold(f64::INFINITY, f64::min),
            high: ratios.iter().copied().fold(0.0, f64::max),
        })
    };
    axis.values.iter().filter_map(at).collect()
}
