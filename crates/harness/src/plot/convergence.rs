//! The figure `convergence`: the gap of each method's solver against its iterations.

use super::axis::Axis;
use super::lines::{LineFigure, LinePanel, LinePoint};
use super::picture::Plot;
use super::style::styles;
use super::traced::each_traced;
use crate::stats::{Axes, Groups};
use crate::store::StoreError;
use std::path::Path;

/// Iterations of a cell, with the relative gap after each.
type Points = Box<[(u32, f64)]>;

/// Gaps below this are the rounding of objectives, and drawn as 0.
const SMALLEST_GAP: f64 = 1e-16;
/// The axis of iterations is linear up to this many.
const LINEAR: u32 = 60;
/// Points of a curve on a logarithmic axis, about.
const POINTS: u32 = 24;

/// `convergence`, of the cells at the hardest level, the one with the largest γ in training: the relative gap against
/// iterations, a line per method whose solver tells it in the file `traces`; `None` if this tells of none of the cells.
///
/// # Errors
/// [`StoreError`] if the cells or the file cannot be read.
pub fn convergence_plot(groups: &Groups<'_>, traces: &Path) -> Result<Option<Plot>, StoreError> {
    let mut hardest: Option<(f64, f64)> = None;
    each_traced(groups, traces, |cell| {
        let harder = |known: (f64, f64)| {
            let by_size = cell.size.total_cmp(&known.0);
            by_size.then(cell.level.total_cmp(&known.1)).is_gt()
        };
        if hardest.is_none_or(harder) {
            hardest = Some((cell.size, cell.level));
        }
    })?;
    let Some((_, level)) = hardest else {
        return Ok(None);
    };
    let mut by_method: Vec<Vec<Points>> = vec![Vec::new(); groups.axes.methods.len()];
    each_traced(groups, traces, |cell| {
        if cell.level == level {
            by_method[cell.method].push(cell.points.into_boxed_slice());
        }
    })?;
    let figure = figure(&by_method, level, groups.axes);
    Ok(figure.map(|figure| Plot::of_lines("convergence", figure)))
}

/// The figure of the points of cells at `level`, by the methods of `axes`.
fn figure(by_method: &[Vec<Points>], level: f64, axes: &Axes) -> Option<LineFigure> {
    let robust = axes.methods.iter();
    let robust: Vec<bool> = robust.map(|method| axes.robust.contains(method)).collect();
    let looks = styles(&axes.methods, &robust);
    let (mut series, mut traces) = (Vec::new(), Vec::new());
    for ((method, look), cells) in axes.methods.iter().zip(looks).zip(by_method) {
        let cells: Vec<&[(u32, f64)]> = cells.iter().map(AsRef::as_ref).collect();
        if !cells.is_empty() {
            series.push((method.clone(), look));
            traces.push(cells);
        }
    }
    let most = traces.iter().flatten().map(|points| last(points)).max()?;
    let mut curves: Vec<Vec<LinePoint>> = traces.iter().map(|cells| curve(cells, most)).collect();
    let (y, reaches_zero) = gap_axis(&mut curves);
    let zero = if reaches_zero {
        " On the line 0 the gap is none at all, and a curve ends where its median gets there."
    } else {
        ""
    };
    Some(LineFigure {
        title: "Convergence of the solvers".to_owned(),
        note: format!(
            "Relative gap of the chosen models at {} = {level}: medians over all datasets and repeats, in bands from the lower to the upper quartile. A \
             solve that has ended keeps its gap.{zero} Iterations are the solver's own: interior-point iterations, epochs and Newton's \
             steps, or cutting planes.",
            axes.unit.heading(),
        ),
        y_title: "relative gap",
        series,
        panels: vec![LinePanel {
            y_title: None,
            guides: Vec::new(),
            title: String::new(),
            x_title: "iteration".to_owned(),
            x: if most > LINEAR {
                Axis::logarithmic(1.0, f64::from(most))
            } else {
                Axis::enclosing(0.0, f64::from(most))
            },
            y,
            curves,
            reference: None,
        }],
        columns: 1,
    })
}

/// The axis that has room for `curves`, and whether some gap in them is 0: this is then at the axis's foot, and a curve ends
/// where its median is there first.
fn gap_axis(curves: &mut [Vec<LinePoint>]) -> (Axis, bool) {
    for curve in curves.iter_mut() {
        let end = curve.iter().position(|point| point.y == 0.0);
        curve.truncate(end.map_or(curve.len(), |end| end + 1));
    }
    let gaps = || curves.iter().flatten().flat_map(|p| [p.low, p.y, p.high]);
    let least = gaps().filter(|gap| *gap > 0.0).fold(1.0, f64::min);
    let axis = Axis::powers_of_ten(least, 1.0);
    if gaps().all(|gap| gap > 0.0) {
        return (axis, false);
    }
    let (axis, foot) = axis.with_zero();
    for point in curves.iter_mut().flatten() {
        for gap in [&mut point.low, &mut point.y, &mut point.high] {
            *gap = gap.max(foot);
        }
    }
    (axis, true)
}

fn last(points: &[(u32, f64)]) -> u32 {
    points.last().map_or(0, |(iteration, _)| *iteration)
}

/// The median gap of `cells` against iterations, with its quartiles, until the last of them has ended; for an axis up to
/// `most`.
fn curve(cells: &[&[(u32, f64)]], most: u32) -> Vec<LinePoint> {
    let end = cells.iter().map(|points| last(points)).max().unwrap_or(0);
    let point = |iteration: u32| {
        let mut gaps: Vec<f64> = cells.iter().map(|points| gap(points, iteration)).collect();
        gaps.sort_by(f64::total_cmp);
        LinePoint {
            x: f64::from(iteration),
            y: quantile(&gaps, 0.5),
            low: quantile(&gaps, 0.25),
            high: quantile(&gaps, 0.75),
        }
    };
    iterations(end, most).into_iter().map(point).collect()
}

/// What is known after `iteration`: at first of ζ = 0 and α = 0, between which the gap is 1.
fn gap(points: &[(u32, f64)], iteration: u32) -> f64 {
    let known = points.iter().rev().find(|(at, _)| *at <= iteration);
    known.map_or(1.0, |(_, gap)| {
        if *gap < SMALLEST_GAP {
            0.0
        } else {
            gap.min(1.0)
        }
    })
}

/// Iterations from the first to `end`, all of them on a linear axis.
fn iterations(end: u32, most: u32) -> Vec<u32> {
    if most <= LINEAR {
        return (0..=end).collect();
    }
    let place = |k: u32| {
        f64::from(most)
            .powf(f64::from(k) / f64::from(POINTS))
            .round() as u32
    };
    let mut all: Vec<u32> = (0..=POINTS).map(place).filter(|at| *at < end).collect();
    all.push(end.max(1));
    all.dedup();
    all
}

/// The quantile of an ascending sample, linear between its values.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (
        sorted[place.floor() as usize],
        sorted[place.ceil() as usize],
    );
    below + place.fract() * (above - below)
}

#[cfg(test)]
mod tests {
    use super::{LinePoint, curve, gap, gap_axis, iterations, quantile};

    #[test]
    fn quantiles_worked_by_hand() {
        assert_eq!(quantile(&[3.0], 0.25), 3.0);
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 5.0], 0.5), 2.5);
        assert_eq!(quantile(&[0.0, 1.0, 2.0], 0.75), 1.5);
    }

    #[test]
    fn what_is_known_is_kept_until_more_is() {
        let points = [(2, 0.5), (5, 0.0)];
        let at = [0, 2, 4, 5, 9].map(|iteration| gap(&points, iteration));
        assert_eq!(at, [1.0, 0.5, 0.5, 0.0, 0.0]);
        let curve = curve(&[&points, &[(0, 0.1), (1, 0.01)], &[(0, 1.0)]], 9);
        let medians: Vec<f64> = curve.iter().map(|point| point.y).collect();
        assert_eq!(medians, [1.0, 1.0, 0.5, 0.5, 0.5, 0.01]);
        assert_eq!((curve[2].low, curve[2].high), (0.255, 0.75));
    }

    #[test]
    fn a_gap_of_zero_is_at_the_foot_and_ends_its_curve() {
        let points = |gaps: [f64; 4]| -> Vec<LinePoint> {
            let point = |(x, y): (usize, f64)| LinePoint {
                x: x as f64,
                y,
                low: y / 2.0,
                high: y,
            };
            gaps.into_iter().enumerate().map(point).collect()
        };
        let mut curves = vec![points([1.0, 0.1, 0.0, 0.0]), points([1.0, 0.5, 0.1, 1e-3])];
        let (axis, reaches) = gap_axis(&mut curves);
        assert!(reaches);
        let labels: Vec<&str> = axis.marks().iter().map(|(_, label)| &**label).collect();
        assert_eq!(labels, ["0", "1e−4", "1e−3", "1e−2", "1e−1", "1"]);
        assert_eq!((curves[0].len(), curves[1].len()), (3, 4));
        let end = curves[0][2];
        assert_eq!(axis.place(end.y, (0.0, 1.0)), 0.0);
        assert_eq!((end.low, end.high), (end.y, end.y));
        let (axis, reaches) = gap_axis(&mut curves[1..]);
        assert!(!reaches);
        assert_eq!(axis.marks().len(), 5);
    }

    #[test]
    fn points_of_a_curve_are_few_ascending_and_reach_the_end() {
        for (end, most) in [
            (0, 3),
            (59, 60),
            (7, 5000),
            (5000, 5000),
            (61, 61),
            (1, 400),
        ] {
            let all = iterations(end, most);
            assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
            assert_eq!(all.last(), Some(&end));
            assert!(all.len() <= 61);
        }
        assert_eq!(iterations(0, 400), [1], "on a logarithmic axis");
    }
}
