//! One panel of curves.

use super::canvas::{Anchor, Canvas, Point};
use super::error::PlotError;
use super::font::width;
use super::layout::Rect;
use super::lines::{LinePanel, LinePoint};
use super::panel::{GRID, INSET, LABEL, SPINE, TICK, draw_title};
use super::scale::without_collisions;
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
    let places = Places { panel, rect };
    draw_grid(canvas, &places, lowest)?;
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

/// From values to places.
struct Places<'a> {
    panel: &'a LinePanel,
    rect: Rect,
}

impl Places<'_> {
    fn x(&self, value: f64) -> f64 {
        let ends = (self.rect.left + INSET, self.rect.right - INSET);
        self.panel.x.place(value, ends)
    }

    fn y(&self, value: f64) -> f64 {
        let ends = (self.rect.bottom, self.rect.top);
        self.panel.y.place(value, ends)
    }

    fn point(&self, x: f64, y: f64) -> Point {
        (self.x(x), self.y(y))
    }
}

fn draw_grid<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    places: &Places<'_>,
    lowest: bool,
) -> Result<(), PlotError> {
    let Places { panel, rect } = places;
    for (mark, label) in panel.y.marks() {
        let y = places.y(*mark);
        canvas.line(&[(rect.left, y), (rect.right, y)], 0.8, GRID)?;
        let at = (rect.left - 5.0, y + 0.35 * LABEL.em);
        canvas.text(label, at, Anchor::End, LABEL)?;
    }
    let marks = panel.x.marks();
    let xs: Vec<f64> = marks.iter().map(|(mark, _)| places.x(*mark)).collect();
    for &x in &xs {
        canvas.line(&[(x, rect.top), (x, rect.bottom)], 0.8, GRID)?;
        canvas.line(&[(x, rect.bottom), (x, rect.bottom + TICK)], 1.0, SPINE)?;
    }
    let axis = [(rect.left, rect.bottom), (rect.right, rect.bottom)];
    canvas.line(&axis, 1.0, SPINE)?;
    if !lowest {
        return Ok(());
    }
    let widths = marks
        .iter()
        .map(|(_, label)| width(label, LABEL.em, LABEL.weight))
        .collect::<Result<Vec<f64>, PlotError>>()?;
    let base = rect.bottom + TICK + 1.1 * LABEL.em;
    for index in without_collisions(&xs, &widths, 3.0) {
        canvas.text(&marks[index].1, (xs[index], base), Anchor::Middle, LABEL)?;
    }
    let below = (f64::midpoint(rect.left, rect.right), base + 1.3 * LABEL.em);
    canvas.text(&panel.x_title, below, Anchor::Middle, LABEL)
}

fn draw_band<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    places: &Places<'_>,
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
