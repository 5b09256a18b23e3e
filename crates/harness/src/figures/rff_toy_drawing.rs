//! The figure `rff-toy`.

use super::rff_toy::{GAMMA, RffToy};
use crate::plot::{Class, Look, Mark, PlaneFigure, PlanePanel};
use ndarray::{Array2, ArrayView1};
use std::f64::consts::TAU;

/// Half the side of the panel of the plane, and of that of the images.
const PLANE: f64 = 2.0;
const IMAGES: f64 = 1.4;
/// Half the width of the ring on which arcs are drawn.
const RING: f64 = 0.045;
const STEPS: u32 = 64;

type Point = (f64, f64);

/// The figure: the points in the plane, and their images on the circle.
pub(crate) fn drawing(toy: &RffToy) -> PlaneFigure {
    use Class::{Negative, Positive};
    let both = |look: fn(Class) -> Look| vec![look(Positive), look(Negative)];
    PlaneFigure {
        legend: vec![
            (vec![Look::Marker(Positive)], "class +1".to_owned()),
            (vec![Look::Marker(Negative)], "class −1".to_owned()),
            (both(Look::Dot), "noisy observations".to_owned()),
            (
                both(Look::Area),
                format!("set of size γ = {GAMMA}, geodesic bound on its image"),
            ),
            (vec![Look::Line], "line trained on the features".to_owned()),
            (vec![Look::Dashed], "where it is in the plane".to_owned()),
        ],
        panels: vec![plane(toy), images(toy)],
    }
}

fn plane(toy: &RffToy) -> PlanePanel {
    let mut marks = Vec::new();
    for (x, class) in toy.x.outer_iter().zip(classes(toy)) {
        let at = |angle: f64| (x[0] + GAMMA * angle.cos(), x[1] + GAMMA * angle.sin());
        marks.push(mark(Look::Area(class), arc(0.0, TAU).map(at)));
    }
    for line in decision_lines(toy) {
        marks.push(mark(Look::Dashed, line.into_iter()));
    }
    push_points(&mut marks, toy, &toy.noisy, &toy.x);
    PlanePanel {
        title: "(a) four points that no line separates".to_owned(),
        x_title: "first input".to_owned(),
        y_title: "second input".to_owned(),
        reach: PLANE,
        ticks: vec![-2.0, -1.0, 0.0, 1.0, 2.0],
        marks,
    }
}

fn images(toy: &RffToy) -> PlanePanel {
    let on_circle = |angle: f64| (angle.cos(), angle.sin());
    let mut marks = vec![mark(Look::Thin, arc(0.0, TAU).map(on_circle))];
    for (index, (image, class)) in toy.images.outer_iter().zip(classes(toy)).enumerate() {
        let (middle, half) = (image[1].atan2(image[0]), toy.arc(index));
        let at = |radius: f64| move |angle: f64| (radius * angle.cos(), radius * angle.sin());
        let outer = arc(middle - half, middle + half).map(at(1.0 + RING));
        let inner = arc(middle + half, middle - half).map(at(1.0 - RING));
        marks.push(mark(Look::Area(class), outer.chain(inner)));
    }
    let normal = (toy.zeta[0], toy.zeta[1]);
    marks.push(mark(
        Look::Line,
        clipped(normal, -toy.intercept, IMAGES)
            .into_iter()
            .flatten(),
    ));
    push_points(&mut marks, toy, &toy.noisy_images, &toy.images);
    PlanePanel {
        title: "(b) their random Fourier features, D = 2".to_owned(),
        x_title: "cos ω·x".to_owned(),
        y_title: "sin ω·x".to_owned(),
        reach: IMAGES,
        ticks: vec![-1.0, -0.5, 0.0, 0.5, 1.0],
        marks,
    }
}

/// Noisy observations below the points themselves.
fn push_points(marks: &mut Vec<Mark>, toy: &RffToy, noisy: &[Array2<f64>], points: &Array2<f64>) {
    let point = |row: ArrayView1<'_, f64>| (row[0], row[1]);
    for (noisy, class) in noisy.iter().zip(classes(toy)) {
        marks.push(mark(Look::Dot(class), noisy.outer_iter().map(point)));
    }
    for (row, class) in points.outer_iter().zip(classes(toy)) {
        marks.push(mark(Look::Marker(class), std::iter::once(point(row))));
    }
}

fn classes(toy: &RffToy) -> impl Iterator<Item = Class> {
    let class = |label: &f64| {
        if *label > 0.0 {
            Class::Positive
        } else {
            Class::Negative
        }
    };
    toy.y.iter().map(class)
}

fn mark(look: Look, points: impl Iterator<Item = Point>) -> Mark {
    Mark {
        look,
        points: points.collect(),
    }
}

/// Angles from one to the other.
fn arc(from: f64, to: f64) -> impl Iterator<Item = f64> {
    (0..=STEPS).map(move |k| from + (to - from) * f64::from(k) / f64::from(STEPS))
}

/// The lines `ω·x = u + 2πk`, u where the circle meets the trained line, that meet the panel of the plane.
fn decision_lines(toy: &RffToy) -> Vec<[Point; 2]> {
    let ω = (toy.frequency[0], toy.frequency[1]);
    let farthest = PLANE * (ω.0.abs() + ω.1.abs());
    let turns = (farthest / TAU).ceil() as i32 + 1;
    let phases = toy.crossings().into_iter().flatten();
    phases
        .flat_map(|phase| (-turns..=turns).map(move |k| phase + TAU * f64::from(k)))
        .filter_map(|phase| clipped(ω, phase, PLANE))
        .collect()
}

/// The part of the line `⟨normal, p⟩ = offset` in the square from −reach to reach; none where they do not meet.
fn clipped(normal: (f64, f64), offset: f64, reach: f64) -> Option<[Point; 2]> {
    let square = normal.0 * normal.0 + normal.1 * normal.1;
    let foot = (offset * normal.0 / square, offset * normal.1 / square);
    let direction = (-normal.1, normal.0);
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for (start, step) in [(foot.0, direction.0), (foot.1, direction.1)] {
        if step == 0.0 {
            if start.abs() > reach {
                return None;
            }
            continue;
        }
        let (a, b) = ((-reach - start) / step, (reach - start) / step);
        (low, high) = (low.max(a.min(b)), high.min(a.max(b)));
    }
    let at = |t: f64| (foot.0 + t * direction.0, foot.1 + t * direction.1);
    (low < high).then(|| [at(low), at(high)])
}

#[cfg(test)]
mod tests {
    use super::clipped;
    use approx::assert_relative_eq;

    #[test]
    fn lines_end_at_the_square() {
        assert_eq!(clipped((1.0, 0.0), 3.0, 2.0), None);
        assert_eq!(
            clipped((0.0, 1.0), 1.0, 2.0).map(|[a, b]| (a.1, b.1, (a.0 - b.0).abs())),
            Some((1.0, 1.0, 4.0))
        );
        for (normal, offset) in [((1.0, 1.0), 0.5), ((-0.3, 2.0), -1.0), ((5.0, 0.1), 7.0)] {
            for point in clipped(normal, offset, 2.0).unwrap() {
                assert_relative_eq!(
                    normal.0 * point.0 + normal.1 * point.1,
                    offset,
                    epsilon = 1e-12
                );
                assert_relative_eq!(point.0.abs().max(point.1.abs()), 2.0, epsilon = 1e-12);
            }
        }
    }
}
