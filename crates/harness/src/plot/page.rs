//! What figures have in common: a white page, and a grid of panels below heading and legend.

use super::canvas::{Anchor, Canvas, Device, Ink};
use super::error::PlotError;
use super::font::Weight;
use super::heading::Heading;
use super::layout::{Layout, Rect, Y_TITLE};
use super::legend::Legend;
use super::style::SeriesStyle;
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};
use plotters::style::{RGBColor, WHITE};

const AXIS: Ink = Ink {
    em: 16.0,
    weight: Weight::Regular,
    colour: RGBColor(0x22, 0x22, 0x22),
};

/// Draws on a white page, by `draw`.
pub(super) fn on_page<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    device: Device,
    draw: impl FnOnce(&Canvas<'_, DB>) -> Result<(), PlotError>,
) -> Result<(), PlotError> {
    area.fill(&WHITE)?;
    draw(&Canvas { area, device })?;
    Ok(area.present()?)
}

/// A grid of panels with its heading, legend and titles of the axes, measured and placed.
pub(super) struct GridPage {
    pub(super) heading: Heading,
    pub(super) legend: Legend,
    pub(super) layout: Layout,
    pub(super) y_title: &'static str,
    /// Below all panels, where these share it.
    pub(super) x_title: Option<String>,
}

/// A panel's place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Which panel it is.
    pub(super) index: usize,
    pub(super) rect: Rect,
    /// Whether it has labels below.
    pub(super) lowest: bool,
}

impl GridPage {
    /// Draws everything, the panels by `panel`, for methods of these names and looks.
    pub(super) fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        device: Device,
        (names, styles): (&[String], &[SeriesStyle]),
        panel: impl Fn(&Canvas<'_, DB>, Place) -> Result<(), PlotError>,
    ) -> Result<(), PlotError> {
        on_page(area, device, |canvas| {
            self.heading.draw(canvas, Y_TITLE)?;
            let corner = (Y_TITLE, self.heading.height);
            self.legend.draw(canvas, corner, names, styles)?;
            let places = self.layout.panels.iter().zip(&self.layout.lowest);
            for (index, (&rect, &lowest)) in places.enumerate() {
                let place = Place {
                    index,
                    rect,
                    lowest,
                };
                panel(canvas, place)?;
            }
            self.draw_titles(canvas)
        })
    }

    /// The titles of the axes, beside and below all panels.
    fn draw_titles<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), PlotError> {
        let panels = &self.layout.panels;
        if let (Some(title), Some(first)) = (&self.x_title, panels.first()) {
            let right = panels.iter().map(|rect| rect.right).fold(0.0, f64::max);
            let below = (f64::midpoint(first.left, right), self.layout.height - 14.0);
            canvas.text(title, below, Anchor::Middle, AXIS)?;
        }
        draw_y_title(canvas, &self.layout, self.y_title)
    }
}

/// The title of the y axis, beside all panels.
pub(super) fn draw_y_title<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    layout: &Layout,
    title: &str,
) -> Result<(), PlotError> {
    let (Some(first), Some(last)) = (layout.panels.first(), layout.panels.last()) else {
        return Ok(());
    };
    let whole = Rect {
        bottom: last.bottom,
        ..*first
    };
    draw_row_title(canvas, whole, title)
}

/// The title of the y axes of a row, beside a panel of it; nothing where it is empty.
pub(super) fn draw_row_title<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    rect: Rect,
    title: &str,
) -> Result<(), PlotError> {
    if title.is_empty() {
        return Ok(());
    }
    let beside = (Y_TITLE - 8.0, f64::midpoint(rect.top, rect.bottom));
    canvas.text(title, beside, Anchor::Upwards, AXIS)
}
