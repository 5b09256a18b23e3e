//! Figures of points in the plane, at the size they are printed at: square panels side by side, with equal units on both axes.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Device, Ink, Point};
use super::drawing::Drawing;
use super::error::PlotError;
use super::font::{Weight, width};
use super::layout::Rect;
use super::panel::{GRID, LABEL, SPINE, TICK};
use super::paper::{PRINT_SCALE, PaperWidth};
use super::style::{SeriesStyle, hue};
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};
use plotters::style::{RGBColor, WHITE};

/// One of two classes of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Positive,
    Negative,
}

/// How marks look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// A class's marker at each point.
    Marker(Class),
    /// A small dot at each point.
    Dot(Class),
    /// The area that the points enclose.
    Area(Class),
    /// A line through the points.
    Line,
    /// The same, dashed.
    Dashed,
    /// The same, thin and grey.
    Thin,
}

/// Points of a panel, in the units of its axes.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) look: Look,
    pub(crate) points: Vec<Point>,
}

/// A square panel around the origin.
#[derive(Debug)]
pub(crate) struct PlanePanel {
    pub(crate) title: String,
    pub(crate) x_title: String,
    pub(crate) y_title: String,
    /// The axes are from −reach to reach.
    pub(crate) reach: f64,
    /// Where the axes are marked, within the reach.
    pub(crate) ticks: Vec<f64>,
    /// Later ones are above earlier ones.
    pub(crate) marks: Vec<Mark>,
}

/// All that a figure shows.
#[derive(Debug)]
pub(crate) struct PlaneFigure {
    /// Looks, those of both classes side by side, and what they mean.
    pub(crate) legend: Vec<(Vec<Look>, String)>,
    pub(crate) panels: Vec<PlanePanel>,
}

const TITLE: Ink = Ink {
    em: 14.5,
    weight: Weight::Bold,
    colour: RGBColor(0x22, 0x22, 0x22),
};
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
/// Left of a panel, right of the last one, between legend and panel, and below a panel.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 10.0;
const ABOVE: f64 = 34.0;
const BELOW: f64 = 46.0;
const LINE_HEIGHT: f64 = 22.0;
const SAMPLE: f64 = 30.0;
const SPACE: f64 = 22.0;
const DOT: f64 = 1.7;

impl PlaneFigure {
    fn side(&self) -> f64 {
        let panels = self.panels.len().max(1) as f64;
        (PaperWidth::Double.units() - RIGHT) / panels - LEFT
    }

    /// Where the legend's entries stand, and its height.
    fn legend(&self) -> Result<(Vec<Point>, f64), PlotError> {
        let limit = PaperWidth::Double.units() - RIGHT;
        let (mut left, mut top) = (LEFT, 4.0);
        let mut places = Vec::with_capacity(self.legend.len());
        for (_, text) in &self.legend {
            let needed = SAMPLE + width(text, LABEL.em, LABEL.weight)?;
            if left > LEFT && left + needed > limit {
                (left, top) = (LEFT, top + LINE_HEIGHT);
            }
            places.push((left, top));
            left += needed + SPACE;
        }
        Ok((places, top + LINE_HEIGHT))
    }

    fn draw_legend<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), PlotError> {
        let (places, _) = self.legend()?;
        for ((looks, text), (left, top)) in self.legend.iter().zip(places) {
            let middle = top + LINE_HEIGHT / 2.0;
            let pitch = (SAMPLE - 6.0) / looks.len() as f64;
            for (index, &look) in looks.iter().enumerate() {
                let (from, to) = (
                    left + index as f64 * pitch,
                    left + (index + 1) as f64 * pitch,
                );
                let points = match look {
                    Look::Marker(_) | Look::Dot(_) => vec![(f64::midpoint(from, to), middle)],
                    Look::Area(_) => {
                        let (high, low) = (middle - 4.5, middle + 4.5);
                        vec![(from, high), (to, high), (to, low), (from, low)]
                    }
                    Look::Line | Look::Dashed | Look::Thin => vec![(from, middle), (to, middle)],
                };
                draw_mark(canvas, look, &points)?;
            }
            let at = (left + SAMPLE, middle + 0.35 * LABEL.em);
            canvas.text(text, at, Anchor::Start, LABEL)?;
        }
        Ok(())
    }
}

impl Drawing for PlaneFigure {
    fn size(&self) -> Result<[u32; 2], PlotError> {
        let height = self.legend()?.1 + ABOVE + self.side() + BELOW;
        Ok([PaperWidth::Double.units(), height].map(|length| length.ceil() as u32))
    }

    fn print_scale(&self) -> f64 {
        PRINT_SCALE
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        device: Device,
    ) -> Result<(), PlotError> {
        let canvas = Canvas { area, device };
        area.fill(&WHITE)?;
        self.draw_legend(&canvas)?;
        let (side, top) = (self.side(), self.legend()?.1 + ABOVE);
        for (index, panel) in self.panels.iter().enumerate() {
            let left = LEFT + index as f64 * (side + LEFT);
            let rect = Rect {
                left,
                top,
                right: left + side,
                bottom: top + side,
            };
            draw_panel(&canvas, panel, rect)?;
        }
        Ok(area.present()?)
    }
}

fn draw_panel<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    panel: &PlanePanel,
    rect: Rect,
) -> Result<(), PlotError> {
    canvas.text(
        &panel.title,
        (rect.left, rect.top - 10.0),
        Anchor::Start,
        TITLE,
    )?;
    let along = |value: f64, (from, to): (f64, f64)| {
        from + (value + panel.reach) / (2.0 * panel.reach) * (to - from)
    };
    let x = |value: f64| along(value, (rect.left, rect.right));
    let y = |value: f64| along(value, (rect.bottom, rect.top));
    for (tick, label) in Axis::linear(&panel.ticks).marks() {
        let (at_x, at_y) = (x(*tick), y(*tick));
        canvas.line(&[(at_x, rect.top), (at_x, rect.bottom)], 0.8, GRID)?;
        canvas.line(&[(rect.left, at_y), (rect.right, at_y)], 0.8, GRID)?;
        let below = (at_x, rect.bottom + TICK + 1.1 * LABEL.em);
        canvas.text(label, below, Anchor::Middle, LABEL)?;
        let beside = (rect.left - 6.0, at_y + 0.35 * LABEL.em);
        canvas.text(label, beside, Anchor::End, LABEL)?;
    }
    for mark in &panel.marks {
        let points: Vec<Point> = mark.points.iter().map(|p| (x(p.0), y(p.1))).collect();
        draw_mark(canvas, mark.look, &points)?;
    }
    let corners = [
        (rect.left, rect.top),
        (rect.right, rect.top),
        (rect.right, rect.bottom),
        (rect.left, rect.bottom),
        (rect.left, rect.top),
    ];
    canvas.line(&corners, 1.0, SPINE)?;
    let below = (
        f64::midpoint(rect.left, rect.right),
        rect.bottom + TICK + 2.4 * LABEL.em,
    );
    canvas.text(&panel.x_title, below, Anchor::Middle, LABEL)?;
    let beside = (rect.left - 36.0, f64::midpoint(rect.top, rect.bottom));
    canvas.text(&panel.y_title, beside, Anchor::Upwards, LABEL)
}

/// Draws marks at places of the figure.
fn draw_mark<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    look: Look,
    points: &[Point],
) -> Result<(), PlotError> {
    match look {
        Look::Marker(class) => points.iter().try_for_each(|&at| {
            canvas.fill(&disc(at, 7.0), WHITE, 1.0)?;
            canvas.marker(at, style(class))
        }),
        Look::Dot(class) => points
            .iter()
            .try_for_each(|&at| canvas.fill(&disc(at, DOT), lighter(style(class).colour), 1.0)),
        Look::Area(class) => canvas.fill(points, style(class).colour, 0.18),
        Look::Line => canvas.line(points, 1.6, INK),
        Look::Dashed => canvas.dashed(points, 1.2, INK),
        Look::Thin => canvas.line(points, 0.8, SPINE),
    }
}

fn style(class: Class) -> SeriesStyle {
    match class {
        Class::Positive => hue(0, false),
        Class::Negative => hue(1, false),
    }
}

/// Three quarters of a colour, the rest white: transparent dots would make a PDF ten times as large.
fn lighter(colour: RGBColor) -> RGBColor {
    let mixed = |value: u8| 255 - (3 * u32::from(255 - value) / 4) as u8;
    RGBColor(mixed(colour.0), mixed(colour.1), mixed(colour.2))
}

fn disc((x, y): Point, radius: f64) -> Vec<Point> {
    const CORNERS: u32 = 16;
    let corner = |k| {
        let angle = f64::from(k) / f64::from(CORNERS) * std::f64::consts::TAU;
        (x + radius * angle.cos(), y + radius * angle.sin())
    };
    (0..CORNERS).map(corner).collect()
}
