//! Drawing in units of the figure, the same on every backend.

use super::error::PlotError;
use super::font::{Weight, advance, font};
use super::style::{Marker, SeriesStyle};
use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A point in units of the figure, y downwards.
pub(super) type Point = (f64, f64);

/// How one kind of output differs from another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Device {
    /// Pixels, or units of the SVG's view box, to a unit of the figure. plotters has whole coordinates only: a large scale
    /// makes them fine.
    pub(super) scale: f64,
    /// Size that plotters wants for a font of one em.
    pub(super) font_size: f64,
    /// How far below the given point the base line of a vertically centred text lies, in em.
    pub(super) baseline: f64,
}

/// Where a text stands relative to its point on the base line.
#[derive(Debug, Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
    /// Read upwards, its middle at the point.
    Upwards,
}

/// Look of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    pub(super) em: f64,
    pub(super) weight: Weight,
    pub(super) colour: RGBColor,
}

/// A backend with its device.
pub(super) struct Canvas<'a, DB: DrawingBackend> {
    pub(super) area: &'a DrawingArea<DB, Shift>,
    pub(super) device: Device,
}

impl<DB: DrawingBackend> Canvas<'_, DB> {
    /// A solid line through points; nothing for fewer than two.
    pub(super) fn line(
        &self,
        points: &[Point],
        width: f64,
        colour: RGBColor,
    ) -> Result<(), PlotError> {
        if points.len() > 1 {
            let path = PathElement::new(self.pixels(points), self.stroke(width, colour));
            self.area.draw(&path)?;
        }
        Ok(())
    }

    /// A line in the style of a method.
    pub(super) fn series_line(
        &self,
        points: &[Point],
        width: f64,
        style: SeriesStyle,
    ) -> Result<(), PlotError> {
        if style.dashed {
            self.dashed(points, width, style.colour)
        } else {
            self.line(points, width, style.colour)
        }
    }

    /// A dashed line through points.
    pub(super) fn dashed(
        &self,
        points: &[Point],
        width: f64,
        colour: RGBColor,
    ) -> Result<(), PlotError> {
        self.dashes(points, [4.5, 3.0], width, colour)
    }

    /// The line of a reference: thin, with short dashes.
    pub(super) fn reference_line(
        &self,
        points: &[Point],
        colour: RGBColor,
    ) -> Result<(), PlotError> {
        self.dashes(points, [2.2, 3.0], 1.0, colour)
    }

    fn dashes(
        &self,
        points: &[Point],
        lengths: [f64; 2],
        width: f64,
        colour: RGBColor,
    ) -> Result<(), PlotError> {
        let [dash, gap] = lengths.map(|length| self.length(length));
        let stroke = self.stroke(width, colour);
        let path = DashedPathElement::new(self.pixels(points), dash, gap, stroke);
        Ok(self.area.draw(&path)?)
    }

    /// A filled polygon; `alpha` in [0, 1].
    pub(super) fn fill(
        &self,
        points: &[Point],
        colour: RGBColor,
        alpha: f64,
    ) -> Result<(), PlotError> {
        let polygon = Polygon::new(self.pixels(points), colour.mix(alpha).filled());
        Ok(self.area.draw(&polygon)?)
    }

    /// A method's marker: filled, or a ring with a white inside.
    pub(super) fn marker(&self, at: Point, style: SeriesStyle) -> Result<(), PlotError> {
        self.fill(&style.marker.outline(at, 1.0), style.colour, 1.0)?;
        if style.filled {
            return Ok(());
        }
        self.fill(&style.marker.outline(at, HOLLOW), WHITE, 1.0)
    }

    /// A text whose base line goes through the point.
    pub(super) fn text(
        &self,
        text: &str,
        at: Point,
        anchor: Anchor,
        ink: Ink,
    ) -> Result<(), PlotError> {
        let lift = self.device.baseline * ink.em;
        let horizontal = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle | Anchor::Upwards => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let size = ink.em * self.device.font_size * self.device.scale;
        let font = font(size, ink.weight);
        let (font, at) = match anchor {
            Anchor::Upwards => (
                font.transform(FontTransform::Rotate270),
                (at.0 - lift, at.1),
            ),
            _ => (font, (at.0, at.1 - lift)),
        };
        let style = TextStyle::from(font)
            .color(&ink.colour)
            .pos(Pos::new(horizontal, VPos::Center));
        Ok(self
            .area
            .draw(&Text::new(text.to_owned(), self.pixel(at), style))?)
    }

    /// A text in which what follows `^` is an exponent.
    pub(super) fn label(
        &self,
        text: &str,
        at: Point,
        anchor: Anchor,
        ink: Ink,
    ) -> Result<(), PlotError> {
        let Some((base, exponent)) = text.split_once('^') else {
            return self.text(text, at, anchor, ink);
        };
        let small = Ink {
            em: EXPONENT * ink.em,
            ..ink
        };
        let base_width = advance(base, ink.em, ink.weight)?;
        let whole = base_width + advance(exponent, small.em, small.weight)?;
        let left = match anchor {
            Anchor::Start => at.0,
            Anchor::Middle | Anchor::Upwards => at.0 - whole / 2.0,
            Anchor::End => at.0 - whole,
        };
        self.text(base, (left, at.1), Anchor::Start, ink)?;
        let raised = (left + base_width, at.1 - RAISED * ink.em);
        self.text(exponent, raised, Anchor::Start, small)
    }

    fn stroke(&self, width: f64, colour: RGBColor) -> ShapeStyle {
        colour.stroke_width(self.length(width).max(1) as u32)
    }

    fn length(&self, length: f64) -> i32 {
        (length * self.device.scale).round() as i32
    }

    fn pixel(&self, at: Point) -> (i32, i32) {
        (self.length(at.0), self.length(at.1))
    }

    fn pixels(&self, points: &[Point]) -> Vec<(i32, i32)> {
        points.iter().map(|&at| self.pixel(at)).collect()
    }
}

/// Size of an exponent beside its base, and how far it is raised, in em of the base.
const EXPONENT: f64 = 0.72;
const RAISED: f64 = 0.4;

/// Size of a hollow marker's inside, as a share of the marker.
const HOLLOW: f64 = 0.66;

impl Marker {
    /// Corners of the marker around a point; areas are about the same. `share` shrinks it about its centre.
    fn outline(self, (x, y): Point, share: f64) -> Vec<Point> {
        let ring = |corners: u32, radius: f64, turn: f64| -> Vec<Point> {
            (0..corners)
                .map(|k| {
                    let angle = (f64::from(k) / f64::from(corners) + turn) * std::f64::consts::TAU;
                    let radius = share * radius;
                    (x + radius * angle.sin(), y - radius * angle.cos())
                })
                .collect()
        };
        match self {
            Self::Circle => ring(24, 3.6, 0.0),
            Self::Square => ring(4, 4.6, 0.125),
            Self::Triangle => ring(3, 5.3, 0.0),
            Self::Diamond => ring(4, 4.7, 0.0),
            Self::Inverted => ring(3, 5.3, 0.5),
            Self::Pentagon => ring(5, 4.2, 0.0),
        }
    }
}
