//! The figure: a row of panels for each shape; probability against n, a line for each D and way to draw
//! frequencies.

use super::plan::{BandwidthPlan, Cell, Rule};
use super::row::{BandwidthRow, Kept};
use super::spec::ShapeName;
use super::table::kept;
use crate::plot::{Axis, LineFigure, LinePanel, LinePoint, Plot, SeriesStyle, hue};
use crate::spec::FrequenciesName;
use crate::stats::Share;

/// What a panel shows: a form of the rule, and which probability.
struct View {
    title: &'static str,
    rule: Rule,
    share: fn(Kept) -> Share,
}

const VIEWS: [View; 3] = [
    View {
        title: "printed rule, each alone",
        rule: Rule::EachFrequency,
        share: |kept| kept.separate,
    },
    View {
        title: "printed rule, all at once",
        rule: Rule::EachFrequency,
        share: |kept| kept.joint,
    },
    View {
        title: "corrected rule, all at once",
        rule: Rule::AllFrequencies,
        share: |kept| kept.joint,
    },
];

/// The figure.
pub(super) fn plots(plan: &BandwidthPlan, rows: &[BandwidthRow]) -> Vec<Plot> {
    let series = lines(plan).into_iter().map(|(index, dim, frequencies)| {
        let name = format!("D = {dim}, {}", frequencies.name());
        (name, look(index, frequencies))
    });
    let mut panels = Vec::new();
    for &shape in &plan.shapes {
        panels.extend(VIEWS.iter().map(|view| panel(plan, rows, shape, view)));
    }
    let figure = LineFigure {
        title: "The bandwidth rule: probability of keeping to the range".to_owned(),
        note: format!(
            "That angles ω·δ keep within ±θ for every δ of the set. As printed, the rule promises {} %: it holds for each frequency alone (left), \
             not for all D/2 at once (middle); corrected with η = {} it does for all (right). Dashed grey: the promise. \
             Bands: 95 % intervals, {} maps. Falling: axes 1, 1/2, …, 1/n of the set.",
            100.0 * plan.promised(Rule::EachFrequency),
            plan.failure,
            plan.draws,
        ),
        y_title: "probability (%)",
        series: series.collect(),
        panels,
        columns: VIEWS.len(),
    };
    vec![Plot::of_lines("bandwidth-rule", figure)]
}

/// The look of a line.
fn look(index: usize, frequencies: FrequenciesName) -> SeriesStyle {
    match frequencies {
        FrequenciesName::Gaussian => hue(index, false),
        FrequenciesName::Orthogonal => hue(index, true),
        FrequenciesName::Structured => hue(index, true).with_filled_markers(),
    }
}

/// The lines of a panel: index of the hue, D, frequencies.
fn lines(plan: &BandwidthPlan) -> Vec<(usize, usize, FrequenciesName)> {
    let of_dim = |(index, &dim): (usize, &usize)| {
        let lines = plan.frequencies.iter();
        lines.map(|&f| (index, dim, f)).collect::<Vec<_>>()
    };
    plan.dim.iter().enumerate().flat_map(of_dim).collect()
}

fn panel(plan: &BandwidthPlan, rows: &[BandwidthRow], shape: ShapeName, view: &View) -> LinePanel {
    let mut widths = plan.n.clone();
    widths.sort_unstable();
    let curve = |(_, dim, frequencies): (usize, usize, FrequenciesName)| -> Vec<LinePoint> {
        let point = |&n: &usize| {
            let cell = Cell {
                n,
                dim,
                shape,
                frequencies,
                rule: view.rule,
            };
            let share = (view.share)(kept(rows, cell)?);
            Some(LinePoint {
                x: n as f64,
                y: 100.0 * share.value,
                low: 100.0 * share.low,
                high: 100.0 * share.high,
            })
        };
        widths.iter().filter_map(point).collect()
    };
    let curves: Vec<Vec<LinePoint>> = lines(plan).into_iter().map(curve).collect();
    let promised = 100.0 * plan.promised(view.rule);
    let lows = curves.iter().flatten().map(|point| point.low);
    // Below the promise, so that its line is not the axis.
    let low = lows.fold(promised - 0.1 * (100.0 - promised), f64::min);
    LinePanel {
        y_title: None,
        guides: Vec::new(),
        title: format!("{}: {}", shape.name(), view.title),
        x_title: "number of inputs n".to_owned(),
        x: Axis::at(widths.iter().map(|&n| (n as f64, n.to_string())).collect()),
        y: up_to_certainty(low),
        curves,
        reference: Some(promised),
    }
}

/// An axis in percent that ends at 100 and encloses `low`, at most six marks.
fn up_to_certainty(low: f64) -> Axis {
    const STEPS: [f64; 9] = [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0];
    let intervals = |step: f64| ((100.0 - low) / step).ceil().max(1.0) as u32;
    let few = |step: &f64| intervals(*step) <= 5;
    let step = STEPS.into_iter().find(few).unwrap_or(20.0);
    let marks = (0..=intervals(step)).rev();
    let marks: Vec<f64> = marks.map(|k| 100.0 - f64::from(k) * step).collect();
    Axis::linear(&marks)
}

#[cfg(test)]
mod tests {
    use super::up_to_certainty;

    #[test]
    fn axes_enclose_what_they_show() {
        for tenths in 0..=1000 {
            let low = f64::from(tenths) / 10.0;
            let axis = up_to_certainty(low);
            let place = |value| axis.place(value, (0.0, 1.0));
            assert!(place(low) >= -1e-9 && place(low) <= 1.0 + 1e-9, "{low}");
            assert!((place(100.0) - 1.0).abs() < 1e-9);
        }
    }
}
