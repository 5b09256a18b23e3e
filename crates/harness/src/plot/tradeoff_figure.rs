//! A figure of clean against robust accuracy: heading, legend, and a panel for each dataset.

use super::canvas::Device;
use super::drawing::Drawing;
use super::error::PlotError;
use super::heading::Heading;
use super::layout::{Layout, Y_LABELS, Y_TITLE, columns, width};
use super::legend::Legend;
use super::page::GridPage;
use super::style::{families, styles};
use super::tradeoff_panel::{TradeoffPanel, draw_panel};
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};

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

impl TradeoffFigure {
    fn page(&self) -> Result<GridPage, PlotError> {
        let columns = columns(self.panels.len());
        let limit = width(columns) - 2.0 * Y_TITLE;
        let heading = Heading::new(&self.title, &self.note, limit)?;
        let families = families(&self.methods, &self.robust);
        let legend = Legend::new(&self.methods, families, &[], limit)?;
        let top = heading.height + legend.height;
        let layout = Layout::new(self.panels.len(), columns, top, ASPECT, Y_LABELS);
        Ok(GridPage {
            layout: layout.with_x_labels(),
            heading,
            legend,
            y_title: "accuracy on clean test points (%)",
            x_title: None,
        })
    }
}

impl Drawing for TradeoffFigure {
    fn size(&self) -> Result<[u32; 2], PlotError> {
        Ok(self.page()?.layout.size())
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        device: Device,
    ) -> Result<(), PlotError> {
        let styles = styles(&self.methods, &self.robust);
        let page = self.page()?;
        page.draw(area, device, (&self.methods, &styles), |canvas, place| {
            draw_panel(canvas, &self.panels[place.index], place.rect, &styles)
        })
    }
}
