//! The figures: one a map, a panel for each axis that varies.

use super::axis::AxisPlan;
use super::plan::{MapPlan, Point, TightnessPlan};
use super::row::TightnessRow;
use super::spec::{MapName, Width};
use super::summary::{Entry, entries};
use super::table::repeats;
use crate::plot::{Axis, LineFigure, LinePanel, LinePoint, SeriesStyle, hue};
use robust_svm_bounds::FeatureBound;
use robust_svm_bounds::rff::FeatureNorm;
use robust_svm_core::data::Scaling;
use std::fmt::Display;

/// Each map's figure, with the name of its files; none where no axis varies.
pub(crate) fn figures(plan: &TightnessPlan, rows: &[TightnessRow]) -> Vec<(String, LineFigure)> {
    let entries = entries(plan, rows);
    let figure = |map: &MapPlan| {
        let panels = panels(plan, map, &entries);
        let name = format!("tightness-{}", map.map.name());
        (!panels.is_empty()).then(|| (name, figure(plan, map, panels)))
    };
    plan.maps.iter().filter_map(figure).collect()
}

fn figure(plan: &TightnessPlan, map: &MapPlan, panels: Vec<LinePanel>) -> LineFigure {
    let (name, size) = match map.map {
        MapName::Rff => ("random Fourier features", "D"),
        MapName::OrthogonalRff => ("orthogonal random Fourier features", "D"),
        MapName::PhasedRff => ("phased random Fourier features", "D"),
        MapName::Nystrom => ("Nyström features", "m"),
    };
    let styles = styles(&map.bounds);
    let other_norm = map.bounds.iter().any(|b| b.norm() != FeatureNorm::Two);
    let dashes = if other_norm {
        " Dashed: in the norm p̄ = 1 or ∞ of features, else p̄ = 2."
    } else {
        ""
    };
    LineFigure {
        title: format!("Tightness of the bounds on {name}"),
        note: format!(
            "Γ over the largest movement an attack finds: 1 is a bound that is reached. One axis varies at a time; the others stand at \
             n = {}, {size} = {}, σ = {} × median, γ = {}. Line: geometric mean over {} datasets; band: least to largest of them; \
             medians over {} and their points.{dashes}",
            plan.n.base,
            map.size.base,
            plan.sigma.base,
            plan.gamma.base,
            plan.tasks.len(),
            repeats(plan.repeats),
        ),
        y_title: "Γ ÷ movement",
        series: map
            .bounds
            .iter()
            .map(|bound| bound.name().to_owned())
            .zip(styles)
            .collect(),
        panels,
    }
}

/// A hue for each bound, shared by its forms in other norms, which are dashed.
fn styles(bounds: &[&'static dyn FeatureBound]) -> Vec<SeriesStyle> {
    let mut families: Vec<&str> = Vec::new();
    let mut style = |bound: &&dyn FeatureBound| {
        let name = bound.name();
        let family = name
            .strip_suffix("-1")
            .or_else(|| name.strip_suffix("-inf"));
        let family = family.unwrap_or(name);
        let known = families.iter().position(|other| *other == family);
        let index = known.unwrap_or_else(|| {
            families.push(family);
            families.len() - 1
        });
        let look = hue(index, bound.norm() != FeatureNorm::Two);
        match bound.norm() {
            FeatureNorm::Infinity => look.turned(),
            FeatureNorm::One | FeatureNorm::Two => look,
        }
    };
    bounds.iter().map(&mut style).collect()
}

/// One axis of a figure: its titles, and each value with its place and its point.
struct Varied {
    title: &'static str,
    x_title: String,
    values: Vec<(f64, String, Point)>,
}

fn panels(plan: &TightnessPlan, map: &MapPlan, entries: &[Entry]) -> Vec<LinePanel> {
    let base = plan.base(map);
    let features = match map.map {
        MapName::Nystrom => "m",
        MapName::Rff | MapName::OrthogonalRff | MapName::PhasedRff => "D",
    };
    let unit = match plan.scaling {
        Scaling::Standardize => "standard deviations",
        Scaling::MinMax => "half ranges",
        Scaling::None => "units of the data",
    };
    let varied = [
        Varied {
            title: "number of inputs",
            x_title: "n".to_owned(),
            values: widths(&plan.n, |n| Point { n, ..base }),
        },
        Varied {
            title: "number of features",
            x_title: features.to_owned(),
            values: values(&map.size, |x| x as f64, |size| Point { size, ..base }),
        },
        Varied {
            title: "bandwidth",
            x_title: "σ ÷ median distance".to_owned(),
            values: values(&plan.sigma, |x| x, |sigma| Point { sigma, ..base }),
        },
        Varied {
            title: "size of the sets",
            x_title: format!("γ ({unit})"),
            values: values(&plan.gamma, |x| x, |gamma| Point { gamma, ..base }),
        },
    ];
    let curves: Vec<(Varied, Vec<Vec<LinePoint>>)> = varied
        .into_iter()
        .filter(|axis| axis.values.len() > 1)
        .map(|axis| {
            let curve = |bound: &&'static dyn FeatureBound| curve(&axis, map, *bound, entries);
            let curves = map.bounds.iter().map(curve).collect();
            (axis, curves)
        })
        .collect();
    let points = || {
        curves
            .iter()
            .flat_map(|(_, curves)| curves.iter().flatten())
    };
    let low = points()
        .map(|point| point.low)
        .fold(f64::INFINITY, f64::min);
    let high = points().map(|point| point.high).fold(0.0, f64::max);
    let y = if low <= high {
        Axis::logarithmic(low.min(1.0), high)
    } else {
        Axis::logarithmic(1.0, 10.0)
    };
    let panel = |(axis, curves): (Varied, Vec<Vec<LinePoint>>)| LinePanel {
        title: axis.title.to_owned(),
        x_title: axis.x_title,
        x: Axis::at(
            axis.values
                .into_iter()
                .map(|(x, label, _)| (x, label))
                .collect(),
        ),
        y: y.clone(),
        curves,
        reference: Some(1.0),
    };
    curves.into_iter().map(panel).collect()
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
