//! One dataset's panel of clean against robust accuracy.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Ink, Point};
use super::error::PlotError;
use super::font::{Weight, width};
use super::frame::Frame;
use super::layout::Rect;
use super::panel::{LABEL, draw_title};
use super::style::SeriesStyle;
use plotters::prelude::DrawingBackend;
use plotters::style::{RGBColor, WHITE};

/// One dataset.
#[derive(Debug)]
pub(super) struct TradeoffPanel {
    pub(super) title: String,
    /// Robust accuracy, in percent.
    pub(super) x: Axis,
    /// Clean accuracy, in percent.
    pub(super) y: Axis,
    /// By method, levels ascending; `None` where there is no result.
    pub(super) points: Vec<Vec<Option<TradeoffPoint>>>,
    /// One a level.
    pub(super) fronts: Vec<Front>,
}

/// A method at a level: accuracies in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TradeoffPoint {
    pub(super) clean: f64,
    /// Robust accuracy that is certified.
    pub(super) certified: f64,
    /// Accuracy that an attack leaves.
    pub(super) attacked: f64,
}

/// The Pareto front of a level.
#[derive(Debug)]
pub(super) struct Front {
    pub(super) label: String,
    /// Certified and clean accuracy, the first ascending.
    pub(super) points: Vec<(f64, f64)>,
}

const STEPS: RGBColor = RGBColor(0x77, 0x77, 0x77);
const LEVEL: Ink = Ink {
    em: 11.5,
    weight: Weight::Regular,
    colour: RGBColor(0x44, 0x44, 0x44),
};

/// Draws a panel into its rectangle.
pub(super) fn draw_panel<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    panel: &TradeoffPanel,
    rect: Rect,
    styles: &[SeriesStyle],
) -> Result<(), PlotError> {
    draw_title(canvas, &panel.title, rect)?;
    let (x, y) = (&panel.x, &panel.y);
    let frame = Frame { x, y, rect };
    frame.draw(canvas, Some("robust accuracy (%)"))?;
    if panel.fronts.is_empty() {
        let middle = (
            f64::midpoint(rect.left, rect.right),
            f64::midpoint(rect.top, rect.bottom),
        );
        return canvas.text("no result", middle, Anchor::Middle, LABEL);
    }
    for front in &panel.fronts {
        canvas.line(&steps(&frame, &front.points), 2.2, STEPS)?;
    }
    let at = |point: &TradeoffPoint| frame.point(point.certified, point.clean);
    for (points, &style) in panel.points.iter().zip(styles) {
        let there: Vec<TradeoffPoint> = points.iter().flatten().copied().collect();
        let line: Vec<Point> = there.iter().map(at).collect();
        canvas.series_line(&line, 0.8, style)?;
        for point in &there {
            let reach = [at(point), frame.point(point.attacked, point.clean)];
            canvas.line(&reach, 1.0, style.colour)?;
        }
    }
    let markers: Vec<Point> = panel.points.iter().flatten().flatten().map(at).collect();
    draw_levels(canvas, &frame, &panel.fronts, &markers)?;
    for (points, &style) in panel.points.iter().zip(styles) {
        let mut there = points.iter().flatten();
        there.try_for_each(|point| canvas.marker(at(point), style))?;
    }
    Ok(())
}

/// The border of what the points of a front leave behind, from the first to the last.
fn steps(frame: &Frame<'_>, points: &[(f64, f64)]) -> Vec<Point> {
    let mut steps: Vec<Point> = Vec::new();
    for &(x, y) in points {
        let next = frame.point(x, y);
        if let Some(&(last, _)) = steps.last() {
            steps.push((last, next.1));
        }
        steps.push(next);
    }
    steps
}

/// The level beside the last point of each front, where it covers no marker and no other level; none where there is no room.
fn draw_levels<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    frame: &Frame<'_>,
    fronts: &[Front],
    markers: &[Point],
) -> Result<(), PlotError> {
    let mut taken: Vec<Rect> = Vec::new();
    for front in fronts {
        let Some(&(x, y)) = front.points.last() else {
            continue;
        };
        let half = width(&front.label, LEVEL.em, LEVEL.weight)? / 2.0 + 1.0;
        let free = places(frame.point(x, y), half).into_iter().find(|rect| {
            is_within(rect, &frame.rect)
                && !markers.iter().any(|marker| is_covered(*marker, rect))
                && !taken.iter().any(|other| overlap(rect, other))
        });
        let Some(rect) = free else {
            continue;
        };
        // Readable where lines run below it.
        let corners = [
            (rect.left, rect.top),
            (rect.right, rect.top),
            (rect.right, rect.bottom),
            (rect.left, rect.bottom),
        ];
        canvas.fill(&corners, WHITE, 0.8)?;
        let at = (
            f64::midpoint(rect.left, rect.right),
            rect.bottom - 0.25 * LEVEL.em,
        );
        canvas.text(&front.label, at, Anchor::Middle, LEVEL)?;
        taken.push(rect);
    }
    Ok(())
}

/// Where a text of this half width may stand beside a marker at `at`, the best first: below, above, beside, and then a line
/// further off.
fn places(at: Point, half: f64) -> Vec<Rect> {
    const HEIGHT: f64 = 1.05 * LEVEL.em;
    let middle = HEIGHT / 2.0;
    let mut places = Vec::new();
    for far in [0.0, HEIGHT] {
        let (up, side) = (MARKER + middle + 1.0 + far, MARKER + half + 1.0);
        let around = [
            (0.0, up),
            (0.0, -up),
            (side, far),
            (-side, far),
            (side, -up),
            (-side, -up),
            (side, up),
            (-side, up),
        ];
        places.extend(around.map(|(x, y)| Rect {
            left: at.0 + x - half,
            right: at.0 + x + half,
            top: at.1 + y - middle,
            bottom: at.1 + y + middle,
        }));
    }
    places
}

/// Half the size of a marker, about.
const MARKER: f64 = 5.0;

/// Within a panel, and a little above it or to its right, where there is room.
fn is_within(inner: &Rect, outer: &Rect) -> bool {
    inner.left >= outer.left
        && inner.right <= outer.right + 8.0
        && inner.top >= outer.top - 8.0
        && inner.bottom <= outer.bottom
}

/// Whether a marker at `at` would be touched.
fn is_covered(at: Point, rect: &Rect) -> bool {
    let marker = Rect {
        left: at.0 - MARKER,
        right: at.0 + MARKER,
        top: at.1 - MARKER,
        bottom: at.1 + MARKER,
    };
    overlap(&marker, rect)
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

#[cfg(test)]
mod tests {
    use super::{MARKER, is_covered, overlap, places};

    /// No place touches the marker it is beside; places are on all sides of it.
    #[test]
    fn labels_stand_beside_their_marker() {
        let places = places((100.0, 50.0), 20.0);
        for place in &places {
            assert!(!is_covered((100.0, 50.0), place), "{place:?}");
            assert!((place.right - place.left - 40.0).abs() < 1e-9);
        }
        assert!(places.iter().any(|place| place.left > 100.0 + MARKER));
        assert!(places.iter().any(|place| place.right < 100.0 - MARKER));
        assert!(!overlap(&places[0], &places[1]));
        assert!(is_covered((100.0, places[0].top), &places[0]));
    }
}
