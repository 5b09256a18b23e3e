//! A figure of curves: a grid of panels, each with axes of its own.

use super::axis::Axis;
use super::canvas::{Canvas, Device};
use super::drawing::Drawing;
use super::error::PlotError;
use super::figure::draw_y_title;
use super::heading::Heading;
use super::layout::{Layout, Y_TITLE, width};
use super::legend::Legend;
use super::line_panel::draw_panel;
use super::style::SeriesStyle;
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};
use plotters::style::WHITE;

/// A point of a curve, and the ends of the band there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LinePoint {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A panel.
#[derive(Debug)]
pub(crate) struct LinePanel {
    pub(crate) title: String,
    /// Below the panel, in the lowest row.
    pub(crate) x_title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// One a series.
    pub(crate) curves: Vec<Vec<LinePoint>>,
    /// A value to compare with, drawn across.
    pub(crate) reference: Option<f64>,
}

/// All that a figure of curves shows.
#[derive(Debug)]
pub(crate) struct LineFigure {
    pub(crate) title: String,
    /// How to read it.
    pub(crate) note: String,
    pub(crate) y_title: &'static str,
    /// Names in the legend, with the looks of their curves.
    pub(crate) series: Vec<(String, SeriesStyle)>,
    /// Row by row.
    pub(crate) panels: Vec<LinePanel>,
    /// Panels in a row, ≥ 1; those of a column share their x axis.
    pub(crate) columns: usize,
}

/// Height of a panel over its width.
const ASPECT: f64 = 0.9;

/// A figure's parts, measured and placed.
struct Parts {
    heading: Heading,
    legend: Legend,
    layout: Layout,
}

impl LineFigure {
    fn names(&self) -> Vec<String> {
        self.series.iter().map(|(name, _)| name.clone()).collect()
    }

    fn parts(&self) -> Result<Parts, PlotError> {
        let panels = self.panels.len();
        let limit = width(self.columns) - 2.0 * Y_TITLE;
        let heading = Heading::new(&self.title, &self.note, limit)?;
        let alone = (0..self.series.len()).map(|index| vec![index]).collect();
        let legend = Legend::new(&self.names(), alone, &[], limit)?;
        let top = heading.height + legend.height;
        let layout = Layout::new(panels, self.columns, top, ASPECT);
        Ok(Parts {
            heading,
            legend,
            layout,
        })
    }
}

impl Drawing for LineFigure {
    fn size(&self) -> Result<[u32; 2], PlotError> {
        Ok(self.parts()?.layout.size())
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        device: Device,
    ) -> Result<(), PlotError> {
        let Parts {
            heading,
            legend,
            layout,
        } = self.parts()?;
        let canvas = Canvas { area, device };
        area.fill(&WHITE)?;
        heading.draw(&canvas, Y_TITLE)?;
        let styles: Vec<SeriesStyle> = self.series.iter().map(|(_, style)| *style).collect();
        legend.draw(&canvas, (Y_TITLE, heading.height), &self.names(), &styles)?;
        for (index, panel) in self.panels.iter().enumerate() {
            draw_panel(
                &canvas,
                panel,
                layout.panels[index],
                layout.lowest[index],
                &styles,
            )?;
        }
        draw_y_title(&canvas, &layout, self.y_title)?;
        Ok(area.present()?)
    }
}
