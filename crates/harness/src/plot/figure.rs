//! A figure: heading, legend, and a panel for each dataset.

use super::canvas::{Anchor, Canvas, Device, Ink};
use super::drawing::Drawing;
use super::error::PlotError;
use super::font::Weight;
use super::heading::Heading;
use super::layout::{Layout, Y_TITLE, columns, width};
use super::legend::Legend;
use super::panel::draw_panel;
use super::style::{families, styles};
use crate::stats::LevelUnit;
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};
use plotters::style::{RGBColor, WHITE};

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

const AXIS: Ink = Ink {
    em: 16.0,
    weight: Weight::Regular,
    colour: RGBColor(0x22, 0x22, 0x22),
};

/// Height of a panel over its width.
const ASPECT: f64 = 0.82;

/// A figure's parts, measured and placed.
struct Parts {
    heading: Heading,
    legend: Legend,
    layout: Layout,
}

impl Figure {
    /// Where everything stands.
    fn parts(&self) -> Result<Parts, PlotError> {
        let panels = self.panels.len();
        let columns = columns(panels);
        let limit = width(columns) - 2.0 * Y_TITLE;
        let heading = Heading::new(&self.title, &self.note, limit)?;
        let families = families(&self.methods, &self.robust);
        let legend = Legend::new(&self.methods, families, self.kinds, limit)?;
        let layout = Layout::new(panels, columns, heading.height + legend.height, ASPECT);
        Ok(Parts {
            heading,
            legend,
            layout,
        })
    }
}

impl Drawing for Figure {
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
        for (index, panel) in self.panels.iter().enumerate() {
            let (rect, lowest) = (layout.panels[index], layout.lowest[index]);
            draw_panel(&canvas, self, panel, rect, lowest, &styles)?;
        }
        self.draw_x_title(&canvas, &layout)?;
        draw_y_title(&canvas, &layout, self.y_title)?;
        Ok(area.present()?)
    }
}

impl Figure {
    fn draw_x_title<DB: DrawingBackend>(
        &self,
        canvas: &Canvas<'_, DB>,
        layout: &Layout,
    ) -> Result<(), PlotError> {
        let Some(first) = layout.panels.first() else {
            return Ok(());
        };
        let right = layout
            .panels
            .iter()
            .map(|rect| rect.right)
            .fold(0.0, f64::max);
        let below = (f64::midpoint(first.left, right), layout.height - 14.0);
        let title = format!("{} ({})", self.unit.heading(), self.unit.words());
        canvas.text(&title, below, Anchor::Middle, AXIS)
    }
}

/// The title of the y axes, beside all of them.
pub(super) fn draw_y_title<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    layout: &Layout,
    title: &str,
) -> Result<(), PlotError> {
    let (Some(first), Some(last)) = (layout.panels.first(), layout.panels.last()) else {
        return Ok(());
    };
    let beside = (Y_TITLE - 8.0, f64::midpoint(first.top, last.bottom));
    canvas.text(title, beside, Anchor::Upwards, AXIS)
}
