//! The figure `ngeu-uncertainty`.

use super::ngeu_uncertainty::{GraphDirections, UncertainPlane};
use crate::plot::{Class, Look, Mark, PlaneFigure, PlanePanel};
use ndarray::Array1;
use std::f64::consts::TAU;

/// Half the side of a panel.
const REACH: f64 = 3.0;
/// Ellipses reach to this many standard deviations: 86 % of a normal distribution in the plane.
const DEVIATIONS: f64 = 2.0;
const STEPS: u32 = 64;

/// The figure: the uncertain points with the directions that graph embedding projects on, a panel for each graph.
pub(crate) fn ngeu_drawing(plane: &UncertainPlane) -> PlaneFigure {
    use Class::{Negative, Positive};
    PlaneFigure {
        legend: vec![
            (vec![Look::Marker(Positive)], "first class".to_owned()),
            (vec![Look::Marker(Negative)], "second class".to_owned()),
            (
                vec![Look::Area(Positive), Look::Area(Negative)],
                format!("{DEVIATIONS} standard deviations"),
            ),
            (vec![Look::Dashed], "direction of GE (points)".to_owned()),
            (vec![Look::Thin], "GEU".to_owned()),
            (vec![Look::Line], "NGEU".to_owned()),
        ],
        panels: vec![
            panel(plane, "(a) LDA graph", &plane.lda),
            panel(plane, "(b) MFA graph", &plane.mfa),
        ],
    }
}

fn panel(plane: &UncertainPlane, title: &str, directions: &GraphDirections) -> PlanePanel {
    let mut marks = Vec::new();
    for i in 0..plane.classes.len() {
        marks.push(Mark {
            look: Look::Area(class(plane.classes[i])),
            points: ellipse(plane, i),
        });
    }
    for (look, direction) in [
        (Look::Thin, &directions.geu),
        (Look::Dashed, &directions.ge),
        (Look::Line, &directions.ngeu),
    ] {
        marks.push(Mark {
            look,
            points: through_origin(direction),
        });
    }
    for (mean, label) in plane.means.outer_iter().zip(&plane.classes) {
        marks.push(Mark {
            look: Look::Marker(class(*label)),
            points: vec![(mean[0], mean[1])],
        });
    }
    PlanePanel {
        title: title.to_owned(),
        x_title: "first input".to_owned(),
        y_title: "second input".to_owned(),
        reach: REACH,
        ticks: vec![-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0],
        marks,
    }
}

fn class(label: usize) -> Class {
    if label == 0 {
        Class::Positive
    } else {
        Class::Negative
    }
}

/// `m + DEVIATIONS · Σ^{1/2} u` for u once around the circle.
fn ellipse(plane: &UncertainPlane, i: usize) -> Vec<(f64, f64)> {
    let (mean, root) = (plane.means.row(i), &plane.roots[i]);
    (0..=STEPS)
        .map(|k| {
            let angle = TAU * f64::from(k) / f64::from(STEPS);
            let u = [DEVIATIONS * angle.cos(), DEVIATIONS * angle.sin()];
            let at = |row: usize| mean[row] + root[(row, 0)] * u[0] + root[(row, 1)] * u[1];
            (at(0), at(1))
        })
        .collect()
}

/// The part of the line along `direction` through the origin that is in the panel.
fn through_origin(direction: &Array1<f64>) -> Vec<(f64, f64)> {
    let longest = direction[0].abs().max(direction[1].abs());
    let end = (
        REACH * direction[0] / longest,
        REACH * direction[1] / longest,
    );
    vec![(-end.0, -end.1), end]
}
