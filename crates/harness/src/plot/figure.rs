//! A figure: heading, legend, and a panel for each dataset.

use super::canvas::Device;
use super::drawing::Drawing;
use super::error::PlotError;
use super::heading::Heading;
use super::layout::{Layout, Y_LABELS, Y_TITLE, columns, width};
use super::legend::Legend;
use super::page::GridPage;
use super::panel::draw_panel;
use super::style::{families, styles};
use crate::stats::LevelUnit;
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};

/// One method's value at one level, in percent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    /// The line.
    pub(super) line: f64,
    /// The other end of the band; the same as the line where there is none.
    pub(super) band: f64,
    /// A reference to compare the line with.
    pub(super) reference: Option<f64>,
}

/// The lines that a method may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    /// With markers.
    Line,
    /// The other end of the band.
    Band,
    /// The reference.
    Reference,
}

/// One dataset.
#[derive(Debug)]
pub(super) struct Panel {
    pub(super) title: String,
    /// Per method, per level; `None` where there is no result.
    pub(super) curves: Vec<Vec<Option<Value>>>,
}

/// All that a figure shows.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) title: String,
    /// How to read it.
    pub(super) note: String,
    /// What the lines of a method are; empty where there is one only, or the note says it.
    pub(super) kinds: &'static [(LineKind, &'static str)],
    pub(super) y_title: &'static str,
    /// Whether the y axes start at zero.
    pub(super) from_zero: bool,
    pub(super) methods: Vec<String>,
    /// Which of them are trained to be robust.
    pub(super) robust: Vec<bool>,
    /// Ascending.
    pub(super) levels: Vec<f64>,
    pub(super) unit: LevelUnit,
    pub(super) panels: Vec<Panel>,
}

/// Height of a panel over its width.
const ASPECT: f64 = 0.82;

impl Figure {
    /// Where everything stands.
    fn page(&self) -> Result<GridPage, PlotError> {
        let panels = self.panels.len();
        let columns = columns(panels);
        let limit = width(columns) - 2.0 * Y_TITLE;
        let heading = Heading::new(&self.title, &self.note, limit)?;
        let families = families(&self.methods, &self.robust);
        let legend = Legend::new(&self.methods, families, self.kinds, limit)?;
        let top = heading.height + legend.height;
        Ok(GridPage {
            layout: Layout::new(panels, columns, top, ASPECT, Y_LABELS),
            heading,
            legend,
            y_title: self.y_title,
            x_title: Some(format!("{} ({})", self.unit.heading(), self.unit.words())),
        })
    }
}

impl Drawing for Figure {
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
            draw_panel(canvas, self, &self.panels[place.index], place, &styles)
        })
    }
}
