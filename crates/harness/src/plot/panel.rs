//! One dataset's panel.

use super::canvas::{Anchor, Canvas, Ink, Point};
use super::error::PlotError;
use super::figure::{Figure, Panel, Value};
use super::font::{Weight, width};
use super::layout::{PANEL_TITLE, Rect, Y_LABELS};
use super::page::Place;
use super::scale::{Scale, percent_label, percent_marks, without_collisions};
use super::style::SeriesStyle;
use plotters::prelude::DrawingBackend;
use plotters::style::RGBColor;

pub(super) const GRID: RGBColor = RGBColor(0xE4, 0xE4, 0xE4);
pub(super) const SPINE: RGBColor = RGBColor(0x66, 0x66, 0x66);
const TITLE: Ink = Ink {
    em: 16.0,
    weight: Weight::Bold,
    colour: RGBColor(0x22, 0x22, 0x22),
};
pub(super) const LABEL: Ink = Ink {
    em: 14.5,
    weight: Weight::Regular,
    colour: RGBColor(0x33, 0x33, 0x33),
};
/// Keeps markers at the first and last level off the axis and the edge.
pub(super) const INSET: f64 = 8.0;
pub(super) const TICK: f64 = 4.0;

/// References have this much of the height that the lines need, and where they are higher, leave the panel.
const ROOM: f64 = 1.5;

struct Axes2 {
    x: Scale,
    y: Scale,
    marks: Vec<f64>,
}

/// Draws title, grid, bands, lines and markers of a panel into its rectangle.
pub(super) fn draw_panel<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    figure: &Figure,
    panel: &Panel,
    place: Place,
    styles: &[SeriesStyle],
) -> Result<(), PlotError> {
    let rect = place.rect;
    draw_title(canvas, &panel.title, rect)?;
    let axes = axes(figure, panel, rect);
    draw_y_axis(canvas, &axes, rect)?;
    draw_x_axis(canvas, &axes, figure, rect, place.lowest)?;
    if panel.curves.iter().flatten().all(Option::is_none) {
        let middle = (
            f64::midpoint(rect.left, rect.right),
            f64::midpoint(rect.top, rect.bottom),
        );
        return canvas.text("no result", middle, Anchor::Middle, LABEL);
    }
    for (curve, &style) in panel.curves.iter().zip(styles) {
        for run in runs(curve, &figure.levels) {
            draw_band(canvas, &axes, &run, style)?;
        }
    }
    for (curve, &style) in panel.curves.iter().zip(styles) {
        for run in runs(curve, &figure.levels) {
            draw_reference(canvas, &axes, &run, style)?;
        }
    }
    for (curve, &style) in panel.curves.iter().zip(styles) {
        for run in runs(curve, &figure.levels) {
            draw_curve(canvas, &axes, &run, style)?;
        }
    }
    Ok(())
}

fn axes(figure: &Figure, panel: &Panel, rect: Rect) -> Axes2 {
    let values = || {
        let values = panel.curves.iter().flatten().flatten();
        values.flat_map(|value| [value.line, value.band])
    };
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let references = panel.curves.iter().flatten().flatten();
    let highest = references.filter_map(|value| value.reference);
    let high = highest.fold(high, f64::max).min(ROOM * high).max(high);
    let low = if figure.from_zero {
        0.0
    } else {
        values().fold(f64::INFINITY, f64::min)
    };
    let marks = if high.is_finite() && low.is_finite() {
        percent_marks(low, high)
    } else {
        percent_marks(0.0, 100.0)
    };
    let ends = |values: &[f64]| (values[0], values[values.len() - 1]);
    Axes2 {
        x: Scale {
            values: ends(&figure.levels),
            places: (rect.left + INSET, rect.right - INSET),
        },
        y: Scale {
            values: ends(&marks),
            places: (rect.bottom, rect.top),
        },
        marks,
    }
}

/// The title, smaller where the name is longer than the panel is wide.
pub(super) fn draw_title<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    title: &str,
    rect: Rect,
) -> Result<(), PlotError> {
    let left = rect.left - Y_LABELS + 8.0;
    let needed = width(title, TITLE.em, TITLE.weight)?;
    let em = TITLE.em * ((rect.right - left) / needed).min(1.0);
    let at = (left, rect.top - PANEL_TITLE + 18.0);
    canvas.text(title, at, Anchor::Start, Ink { em, ..TITLE })
}

fn draw_y_axis<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    axes: &Axes2,
    rect: Rect,
) -> Result<(), PlotError> {
    for &mark in &axes.marks {
        let y = axes.y.place(mark);
        canvas.line(&[(rect.left, y), (rect.right, y)], 0.8, GRID)?;
        let at = (rect.left - 5.0, y + 0.35 * LABEL.em);
        canvas.text(&percent_label(mark, &axes.marks), at, Anchor::End, LABEL)?;
    }
    Ok(())
}

fn draw_x_axis<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    axes: &Axes2,
    figure: &Figure,
    rect: Rect,
    labelled: bool,
) -> Result<(), PlotError> {
    let places: Vec<f64> = figure
        .levels
        .iter()
        .map(|&level| axes.x.place(level))
        .collect();
    for &x in &places {
        canvas.line(&[(x, rect.top), (x, rect.bottom)], 0.8, GRID)?;
        canvas.line(&[(x, rect.bottom), (x, rect.bottom + TICK)], 1.0, SPINE)?;
    }
    canvas.line(
        &[(rect.left, rect.bottom), (rect.right, rect.bottom)],
        1.0,
        SPINE,
    )?;
    if !labelled {
        return Ok(());
    }
    let labels: Vec<String> = figure.levels.iter().map(f64::to_string).collect();
    let widths = labels
        .iter()
        .map(|label| width(label, LABEL.em, LABEL.weight))
        .collect::<Result<Vec<f64>, PlotError>>()?;
    for index in without_collisions(&places, &widths, 3.0) {
        let at = (places[index], rect.bottom + TICK + 1.1 * LABEL.em);
        canvas.text(&labels[index], at, Anchor::Middle, LABEL)?;
    }
    Ok(())
}

/// Runs of neighbouring levels with a result: a line does not bridge a level without one.
fn runs(curve: &[Option<Value>], levels: &[f64]) -> Vec<Vec<(f64, Value)>> {
    let mut runs = vec![Vec::new()];
    for (value, &level) in curve.iter().zip(levels) {
        match (value, runs.last_mut()) {
            (Some(value), Some(run)) => run.push((level, *value)),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

fn draw_band<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    axes: &Axes2,
    run: &[(f64, Value)],
    style: SeriesStyle,
) -> Result<(), PlotError> {
    if run.iter().all(|(_, value)| value.band == value.line) {
        return Ok(());
    }
    let line = run
        .iter()
        .map(|&(level, value)| axes.place(level, value.line));
    let band = run
        .iter()
        .rev()
        .map(|&(level, value)| axes.place(level, value.band));
    let outline: Vec<Point> = line.chain(band).collect();
    canvas.fill(&outline, style.colour, 0.13)?;
    let end: Vec<Point> = run
        .iter()
        .map(|&(level, value)| axes.place(level, value.band))
        .collect();
    canvas.line(&end, 0.8, style.colour)
}

/// Nothing where the reference is the line itself.
fn draw_reference<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    axes: &Axes2,
    run: &[(f64, Value)],
    style: SeriesStyle,
) -> Result<(), PlotError> {
    if run
        .iter()
        .all(|(_, value)| value.reference.is_none_or(|r| r == value.line))
    {
        return Ok(());
    }
    let points: Vec<Point> = run
        .iter()
        .filter_map(|&(level, value)| Some(axes.place(level, value.reference?)))
        .collect();
    let top = axes.y.places.1;
    below(&points, top)
        .iter()
        .try_for_each(|part| canvas.reference_line(part, style.colour))
}

/// The parts of a line through `points` that are not above `top`.
fn below(points: &[Point], top: f64) -> Vec<Vec<Point>> {
    let mut parts = vec![Vec::new()];
    for (index, &(x, y)) in points.iter().enumerate() {
        if let Some(&(before, height)) = index.checked_sub(1).map(|i| &points[i])
            && (height < top) != (y < top)
        {
            let crossing = before + (x - before) * (top - height) / (y - height);
            if height < top {
                parts.push(Vec::new());
            }
            let part = parts.last_mut().expect("there is a part");
            part.push((crossing, top));
        }
        if y >= top {
            let part = parts.last_mut().expect("there is a part");
            part.push((x, y));
        }
    }
    parts.retain(|part| part.len() > 1);
    parts
}

fn draw_curve<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    axes: &Axes2,
    run: &[(f64, Value)],
    style: SeriesStyle,
) -> Result<(), PlotError> {
    let points: Vec<Point> = run
        .iter()
        .map(|&(level, value)| axes.place(level, value.line))
        .collect();
    canvas.series_line(&points, 1.6, style)?;
    points.iter().try_for_each(|&at| canvas.marker(at, style))
}

impl Axes2 {
    fn place(&self, level: f64, percent: f64) -> Point {
        (self.x.place(level), self.y.place(percent))
    }
}

#[cfg(test)]
mod tests {
    use super::below;

    /// Down is a larger y: a line that leaves at the top, comes back and leaves again.
    #[test]
    fn a_line_is_cut_where_it_leaves_at_the_top() {
        let line = [
            (0.0, 30.0),
            (10.0, -10.0),
            (20.0, 20.0),
            (30.0, 10.0),
            (40.0, -10.0),
        ];
        let parts = below(&line, 0.0);
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0], [(0.0, 30.0), (7.5, 0.0)]);
        assert_eq!(parts[1][1..], [(20.0, 20.0), (30.0, 10.0), (35.0, 0.0)]);
        assert!((parts[1][0].0 - 40.0 / 3.0).abs() < 1e-12 && parts[1][0].1 == 0.0);
        assert_eq!(below(&line[..1], 0.0), [[(0.0, 0.0); 0]; 0]);
        assert_eq!(below(&[(0.0, 5.0), (1.0, 0.0)], 0.0).len(), 1);
        assert!(below(&[(0.0, -5.0), (1.0, -1.0)], 0.0).is_empty());
    }
}
