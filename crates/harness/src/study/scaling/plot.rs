//! The figures: time above peak memory, log–log, a column for each map and axis, a line for each solver.

use super::measured::{Curve, Quantity, median_and_range};
use super::method::MethodPlan;
use super::plan::ScalingPlan;
use super::size::AxisName;
use super::solver::TrainerName;
use super::table::{MIB, conditions};
use super::theory::law;
use crate::plot::{Axis, Guide, LineFigure, LinePanel, LinePoint, Plot, hue};
use crate::spec::MapName;

const MAPS: [MapName; 4] = [
    MapName::Identity,
    MapName::Rff,
    MapName::Nystrom,
    MapName::ExactKernel,
];

/// The figures, with the axes that each is of.
const FIGURES: [(&str, &str, &[AxisName]); 3] = [
    ("scaling", "training rows", &[AxisName::Rows]),
    ("scaling-inputs", "inputs", &[AxisName::Inputs]),
    (
        "scaling-features",
        "features",
        &[AxisName::Dim, AxisName::Landmarks],
    ),
];

/// A figure for each of [`FIGURES`] along which something is measured.
pub(super) fn plots(plan: &ScalingPlan, curves: &[Curve]) -> Vec<Plot> {
    let figure = |&(name, words, axes): &(&str, &str, &[AxisName])| {
        let pairs = MAPS
            .iter()
            .flat_map(|&map| axes.iter().map(move |&axis| (map, axis)));
        let columns: Vec<Column<'_>> = pairs
            .map(|(map, axis)| Column::new(plan, curves, map, axis))
            .filter(|column| !column.curves.is_empty())
            .collect();
        (!columns.is_empty()).then(|| Plot::of_lines(name, of_columns(plan, words, &columns)))
    };
    FIGURES.iter().filter_map(figure).collect()
}

/// The curves of a map along an axis.
struct Column<'a> {
    map: MapName,
    axis: AxisName,
    curves: Vec<(&'a MethodPlan, &'a Curve)>,
}

impl<'a> Column<'a> {
    fn new(plan: &'a ScalingPlan, curves: &'a [Curve], map: MapName, axis: AxisName) -> Self {
        let own = curves
            .iter()
            .map(|curve| (&plan.methods[curve.method], curve));
        let own = own.filter(|(method, curve)| method.map == map && curve.axis == axis);
        Self {
            map,
            axis,
            curves: own.collect(),
        }
    }
}

/// A line of the legend: a solver, nominal or robust, on whatever map.
type Line = (TrainerName, bool);

fn line(method: &MethodPlan) -> Line {
    (method.solver, method.robust)
}

fn of_columns(plan: &ScalingPlan, words: &str, columns: &[Column<'_>]) -> LineFigure {
    let solvers: Vec<TrainerName> = TrainerName::ALL
        .into_iter()
        .filter(|solver| plan.methods.iter().any(|method| method.solver == *solver))
        .collect();
    let mut lines: Vec<Line> = Vec::new();
    for solver in &solvers {
        for robust in [false, true] {
            let mut all = columns.iter().flat_map(|column| &column.curves);
            if all.any(|(method, _)| line(method) == (*solver, robust)) {
                lines.push((*solver, robust));
            }
        }
    }
    let series = lines.iter().map(|&(solver, robust)| {
        let index = solvers.iter().position(|other| *other == solver);
        let name = match (robust, solver) {
            (true, TrainerName::Local | TrainerName::Safe) | (false, _) => solver.name().to_owned(),
            (true, _) => format!("{}, robust", solver.name()),
        };
        (name, hue(index.unwrap_or(0), !robust))
    });
    let panels = Quantity::ALL.into_iter().flat_map(|quantity| {
        let panel = |column: &Column<'_>| panel(column, quantity, &lines);
        columns.iter().map(panel).collect::<Vec<_>>()
    });
    LineFigure {
        title: format!("Time and memory of training against {words}"),
        note: format!(
            "{}. Medians of {} repeats, in bands from the least to the largest. Nominal methods dashed. Dotted grey: powers that the theory gives.",
            conditions(plan),
            plan.repeats
        ),
        y_title: "",
        series: series.collect(),
        panels: panels.collect(),
        columns: columns.len(),
    }
}

fn panel(column: &Column<'_>, quantity: Quantity, lines: &[Line]) -> LinePanel {
    let (unit, y_title) = match quantity {
        Quantity::Time => (1.0, "processor time (s)"),
        Quantity::Memory => (MIB, "peak memory (MiB)"),
    };
    let points = |curve: &Curve| -> Vec<LinePoint> {
        let at = curve.points.iter().filter_map(|at| {
            let [y, low, high] = median_and_range(at.of(quantity))?.map(|value| value / unit);
            Some(LinePoint {
                x: at.size as f64,
                y,
                low,
                high,
            })
        });
        at.collect()
    };
    let drawn: Vec<(&MethodPlan, Vec<LinePoint>)> = column
        .curves
        .iter()
        .map(|(method, curve)| (*method, points(curve)))
        .collect();
    let of_line = |own: &Line| -> Vec<LinePoint> {
        let found = drawn.iter().find(|(method, _)| line(method) == *own);
        found.map(|(_, points)| points.clone()).unwrap_or_default()
    };
    let guides = guides(&drawn, quantity, column.axis);
    let title = match column.map {
        MapName::Identity => "linear",
        MapName::Rff => "random Fourier features",
        MapName::Nystrom => "Nyström features",
        MapName::ExactKernel => "exact kernel",
    };
    LinePanel {
        title: match quantity {
            Quantity::Time => title.to_owned(),
            Quantity::Memory => String::new(),
        },
        x_title: column.axis.words().to_owned(),
        x: x_axis(column),
        y: y_axis(&drawn, &guides),
        curves: lines.iter().map(of_line).collect(),
        reference: None,
        guides,
        y_title: Some(y_title),
    }
}

/// Powers of ten where there are two of them, else the sizes.
fn x_axis(column: &Column<'_>) -> Axis {
    let points = column.curves.iter().flat_map(|(_, curve)| &curve.points);
    let mut sizes: Vec<usize> = points.map(|at| at.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let ends = [sizes.first(), sizes.last()].map(|size| size.map_or(1.0, |size| *size as f64));
    if ends[1] >= 100.0 * ends[0] {
        return Axis::decades(ends[0], ends[1]);
    }
    Axis::at(sizes.iter().map(|&s| (s as f64, s.to_string())).collect())
}

fn y_axis(drawn: &[(&MethodPlan, Vec<LinePoint>)], guides: &[Guide]) -> Axis {
    let points = drawn.iter().flat_map(|(_, points)| points);
    let ends = points.flat_map(|point| [point.low, point.high]);
    let tops = guides.iter().map(|guide| guide.ends[1].1);
    let all: Vec<f64> = ends.chain(tops).collect();
    let least = all.iter().copied().reduce(f64::min).unwrap_or(1.0);
    let most = all.iter().copied().reduce(f64::max).unwrap_or(10.0);
    Axis::decades(least, most)
}

/// How far above the highest curve of its power a guide ends.
const ABOVE: f64 = 2.0;
/// How far guides of one end are apart, for their names.
const APART: f64 = 2.5;

/// A guide for each power that the laws of the curves span, through a point above the end of the highest of them.
fn guides(
    drawn: &[(&MethodPlan, Vec<LinePoint>)],
    quantity: Quantity,
    axis: AxisName,
) -> Vec<Guide> {
    let least = drawn.iter().flat_map(|(_, points)| points);
    let least = least.map(|point| point.low).reduce(f64::min).unwrap_or(0.0);
    let mut above = ABOVE;
    let mut of_power = |power: u8| {
        let exponent = f64::from(power);
        let spans_it = |method: &MethodPlan| {
            let (low, high) = law(method, quantity).slopes(axis);
            (low..=high).contains(&exponent)
        };
        let own = drawn.iter().filter(|(method, _)| spans_it(method));
        let ends = own.filter_map(|(_, points)| Some((points.first()?, points.last()?)));
        let (first, last) = ends.max_by(|a, b| a.1.y.total_cmp(&b.1.y))?;
        let top = (last.x, above * last.y);
        above *= APART;
        // No further down than the lowest curve, and no further left than the middle of its own.
        let at_least = top.0 * (least / top.1).powf(1.0 / exponent);
        let left = (first.x * last.x).sqrt().max(at_least);
        let bottom = (left, top.1 * (left / top.0).powf(exponent));
        let mark = match power {
            1 => "",
            2 => "²",
            _ => "³",
        };
        Some(Guide {
            ends: [bottom, top],
            name: format!("{}{mark}", axis.letter()),
        })
    };
    (1..=3).filter_map(&mut of_power).collect()
}
