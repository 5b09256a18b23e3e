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
    draw_levels(canvas, &frame, &panel.fronts)?;
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

/// The level below the last point of each front; none where another stands there.
fn draw_levels<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    frame: &Frame<'_>,
    fronts: &[Front],
) -> Result<(), PlotError> {
    let mut taken: Vec<(Point, f64)> = Vec::new();
    for front in fronts {
        let Some(&(x, y)) = front.points.last() else {
            continue;
        };
        let half = width(&front.label, LEVEL.em, LEVEL.weight)? / 2.0;
        let (x, y) = frame.point(x, y);
        let x = x.clamp(frame.rect.left + half, frame.rect.right - half);
        let at = (x, (y + 17.0).min(frame.rect.bottom - 3.0));
        let clear = |((x, y), other): &(Point, f64)| {
            (at.0 - x).abs() > half + other + 3.0 || (at.1 - y).abs() > LEVEL.em
        };
        if taken.iter().all(clear) {
            // Readable where lines run below it.
            let (top, bottom) = (at.1 - 0.8 * LEVEL.em, at.1 + 0.25 * LEVEL.em);
            let (left, right) = (at.0 - half - 1.0, at.0 + half + 1.0);
            let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
            canvas.fill(&corners, WHITE, 0.8)?;
            canvas.text(&front.label, at, Anchor::Middle, LEVEL)?;
            taken.push((at, half));
        }
    }
    Ok(())
}
