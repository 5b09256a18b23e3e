//! One panel of curves.

use super::canvas::{Anchor, Canvas, Point};
use super::error::PlotError;
use super::frame::Frame;
use super::layout::Rect;
use super::lines::{LinePanel, LinePoint};
use super::panel::{LABEL, SPINE, draw_title};
use super::style::SeriesStyle;
use plotters::prelude::DrawingBackend;

/// Draws title, grid, bands, lines and markers of a panel into its rectangle.
pub(super) fn draw_panel<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    panel: &LinePanel,
    rect: Rect,
    lowest: bool,
    styles: &[SeriesStyle],
) -> Result<(), PlotError> {
    draw_title(canvas, &panel.title, rect)?;
    let places = Frame {
        x: &panel.x,
        y: &panel.y,
        rect,
    };
    places.draw(canvas, lowest.then_some(panel.x_title.as_str()))?;
    if panel.curves.iter().all(Vec::is_empty) {
        let middle = (
            f64::midpoint(rect.left, rect.right),
            f64::midpoint(rect.top, rect.bottom),
        );
        return canvas.text("no result", middle, Anchor::Middle, LABEL);
    }
    if let Some(reference) = panel.reference {
        let y = places.y(reference);
        canvas.dashed(&[(rect.left, y), (rect.right, y)], 1.2, SPINE)?;
    }
    for guide in &panel.guides {
        let [first, last] = guide.ends.map(|(x, y)| places.point(x, y));
        canvas.reference_line(&[first, last], SPINE)?;
        let above = (last.0, last.1 - 4.0);
        canvas.text(&guide.name, above, Anchor::End, LABEL)?;
    }
    for (curve, style) in panel.curves.iter().zip(styles) {
        draw_band(canvas, &places, curve, *style)?;
    }
    for (curve, style) in panel.curves.iter().zip(styles) {
        let points: Vec<Point> = curve.iter().map(|p| places.point(p.x, p.y)).collect();
        canvas.series_line(&points, 1.6, *style)?;
        points
            .iter()
            .try_for_each(|&at| canvas.marker(at, *style))?;
    }
    Ok(())
}

fn draw_band<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    places: &Frame<'_>,
    curve: &[LinePoint],
    style: SeriesStyle,
) -> Result<(), PlotError> {
    if curve.iter().all(|point| point.low == point.high) {
        return Ok(());
    }
    let high = curve.iter().map(|p| places.point(p.x, p.high));
    let low = curve.iter().rev().map(|p| places.point(p.x, p.low));
    let outline: Vec<Point> = high.chain(low).collect();
    canvas.fill(&outline, style.colour, 0.13)
}
