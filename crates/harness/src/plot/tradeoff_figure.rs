//! A figure of clean against robust accuracy: heading, legend, and a panel for each dataset.

use super::canvas::{Canvas, Device};
use super::drawing::Drawing;
use super::error::PlotError;
use super::figure::draw_y_title;
use super::heading::Heading;
use super::layout::{Layout, Y_TITLE, columns, width};
use super::legend::Legend;
use super::style::{families, styles};
use super::tradeoff_panel::{TradeoffPanel, draw_panel};
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};
use plotters::style::WHITE;

/// All that a figure of clean against robust accuracy shows.
#[derive(Debug)]
pub(super) struct TradeoffFigure {
    pub(super) title: String,
    /// How to read it.
    pub(super) note: String,
    pub(super) methods: Vec<String>,
    /// Which of them are trained to be robust.
    pub(super) robust: Vec<bool>,
    pub(super) panels: Vec<TradeoffPanel>,
}

/// Height of a panel over its width.
const ASPECT: f64 = 0.9;

/// A figure's parts, measured and placed.
struct Parts {
    heading: Heading,
    legend: Legend,
    layout: Layout,
}

impl TradeoffFigure {
    fn parts(&self) -> Result<Parts, PlotError> {
        let columns = columns(self.panels.len());
        let limit = width(columns) - 2.0 * Y_TITLE;
        let heading = Heading::new(&self.title, &self.note, limit)?;
        let families = families(&self.methods, &self.robust);
        let legend = Legend::new(&self.methods, families, &[], limit)?;
        let top = heading.height + legend.height;
        let layout = Layout::new(self.panels.len(), columns, top, ASPECT).with_x_labels();
        Ok(Parts {
            heading,
            legend,
            layout,
        })
    }
}

impl Drawing for TradeoffFigure {
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
        let styles = styles(&self.methods, &self.robust);
        legend.draw(&canvas, (Y_TITLE, heading.height), &self.methods, &styles)?;
        for (panel, rect) in self.panels.iter().zip(&layout.panels) {
            draw_panel(&canvas, panel, *rect, &styles)?;
        }
        draw_y_title(&canvas, &layout, "accuracy on clean test points (%)")?;
        Ok(area.present()?)
    }
}
