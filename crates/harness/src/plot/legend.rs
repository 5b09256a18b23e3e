//! The legend: a column for each family of methods, the nominal above the robust; below, the kinds of line.

use super::canvas::{Anchor, Canvas, Ink};
use super::error::PlotError;
use super::figure::LineKind;
use super::font::{Weight, width};
use super::style::{Family, Marker, SeriesStyle};
use plotters::prelude::DrawingBackend;
use plotters::style::RGBColor;

const LINE_HEIGHT: f64 = 22.0;
const SAMPLE: f64 = 38.0;
const SPACE: f64 = 26.0;
const BAND_SPACE: f64 = 6.0;
const INK: Ink = Ink {
    em: 15.0,
    weight: Weight::Regular,
    colour: RGBColor(0x22, 0x22, 0x22),
};

/// A line of no method in particular.
const ANY: SeriesStyle = SeriesStyle {
    colour: RGBColor(0x77, 0x77, 0x77),
    marker: Marker::Circle,
    dashed: false,
    filled: true,
};

/// Where each method's entry stands, relative to the legend's corner.
pub(super) struct Legend {
    entries: Vec<(usize, f64, f64)>,
    kinds: Vec<(LineKind, &'static str, f64, f64)>,
    pub(super) height: f64,
}

impl Legend {
    /// Sets the families side by side, in further bands where they do not fit into `limit`.
    pub(super) fn new(
        methods: &[String],
        families: Vec<Family>,
        kinds: &'static [(LineKind, &'static str)],
        limit: f64,
    ) -> Result<Self, PlotError> {
        let mut entries = Vec::new();
        let (mut left, mut top, mut lines) = (0.0, 0.0, 0);
        for family in families {
            let column = column_width(&family, methods)?;
            if left > 0.0 && left + column > limit {
                top += lines as f64 * LINE_HEIGHT + BAND_SPACE;
                (left, lines) = (0.0, 0);
            }
            for (line, &method) in family.iter().enumerate() {
                entries.push((method, left, top + line as f64 * LINE_HEIGHT));
            }
            left += column + SPACE;
            lines = lines.max(family.len());
        }
        let mut height = top + lines as f64 * LINE_HEIGHT;
        let mut placed = Vec::new();
        left = 0.0;
        for (index, &(kind, name)) in kinds.iter().enumerate() {
            let column = SAMPLE + width(name, INK.em, INK.weight)?;
            if index == 0 || left + column > limit {
                left = 0.0;
                height += LINE_HEIGHT;
            }
            placed.push((kind, name, left, height - LINE_HEIGHT));
            left += column + SPACE;
        }
        Ok(Self {
            entries,
            kinds: placed,
            height,
        })
    }

    /// Draws the legend with its corner at the given place.
    pub(super) fn draw<DB: DrawingBackend>(
        &self,
        canvas: &Canvas<'_, DB>,
        corner: (f64, f64),
        methods: &[String],
        styles: &[SeriesStyle],
    ) -> Result<(), PlotError> {
        for &(method, left, top) in &self.entries {
            let (left, middle) = (corner.0 + left, corner.1 + top + LINE_HEIGHT / 2.0);
            let style = styles[method];
            canvas.series_line(&[(left, middle), (left + SAMPLE - 8.0, middle)], 1.8, style)?;
            canvas.marker((left + SAMPLE / 2.0 - 4.0, middle), style)?;
            let text = (left + SAMPLE, middle + 0.35 * INK.em);
            canvas.text(&methods[method], text, Anchor::Start, INK)?;
        }
        for &(kind, name, left, top) in &self.kinds {
            let (left, middle) = (corner.0 + left, corner.1 + top + LINE_HEIGHT / 2.0);
            let line = [(left, middle), (left + SAMPLE - 8.0, middle)];
            match kind {
                LineKind::Line => {
                    canvas.line(&line, 1.8, ANY.colour)?;
                    canvas.marker((left + SAMPLE / 2.0 - 4.0, middle), ANY)?;
                }
                LineKind::Band => canvas.line(&line, 0.8, ANY.colour)?,
                LineKind::Reference => canvas.reference_line(&line, ANY.colour)?,
            }
            let text = (left + SAMPLE, middle + 0.35 * INK.em);
            canvas.text(name, text, Anchor::Start, INK)?;
        }
        Ok(())
    }
}

fn column_width(family: &Family, methods: &[String]) -> Result<f64, PlotError> {
    let mut widest: f64 = 0.0;
    for &method in family {
        widest = widest.max(width(&methods[method], INK.em, INK.weight)?);
    }
    Ok(SAMPLE + widest)
}
