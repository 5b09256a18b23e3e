//! A figure of curves: a grid of panels, each with axes of its own.

use super::axis::Axis;
use super::canvas::Device;
use super::drawing::Drawing;
use super::error::PlotError;
use super::frame::y_labels;
use super::heading::Heading;
use super::layout::{Layout, Y_LABELS, Y_TITLE, width};
use super::legend::Legend;
use super::line_panel::draw_panel;
use super::page::{GridPage, draw_row_title};
use super::style::SeriesStyle;
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};

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
    /// Lines to compare slopes with.
    pub(crate) guides: Vec<Guide>,
    /// What its row is of, beside the first panel of it, where the figure's rows differ.
    pub(crate) y_title: Option<&'static str>,
}

/// A thin dashed line with its name at its second end.
#[derive(Debug)]
pub(crate) struct Guide {
    pub(crate) ends: [(f64, f64); 2],
    pub(crate) name: String,
}

/// All that a figure of curves shows.
#[derive(Debug)]
pub(crate) struct LineFigure {
    pub(crate) title: String,
    /// How to read it.
    pub(crate) note: String,
    /// Empty where each row has its own.
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

impl LineFigure {
    fn names(&self) -> Vec<String> {
        self.series.iter().map(|(name, _)| name.clone()).collect()
    }

    fn page(&self) -> Result<GridPage, PlotError> {
        let panels = self.panels.len();
        let limit = width(self.columns) - 2.0 * Y_TITLE;
        let heading = Heading::new(&self.title, &self.note, limit)?;
        let alone = (0..self.series.len()).map(|index| vec![index]).collect();
        let legend = Legend::new(&self.names(), alone, &[], limit)?;
        let top = heading.height + legend.height;
        let mut labels = Y_LABELS;
        for panel in &self.panels {
            labels = labels.max(y_labels(&panel.y)?);
        }
        Ok(GridPage {
            layout: Layout::new(panels, self.columns, top, ASPECT, labels),
            heading,
            legend,
            y_title: self.y_title,
            x_title: None,
        })
    }
}

impl Drawing for LineFigure {
    fn size(&self) -> Result<[u32; 2], PlotError> {
        Ok(self.page()?.layout.size())
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        device: Device,
    ) -> Result<(), PlotError> {
        let styles: Vec<SeriesStyle> = self.series.iter().map(|(_, style)| *style).collect();
        let names = self.names();
        let page = self.page()?;
        page.draw(area, device, (&names, &styles), |canvas, place| {
            let panel = &self.panels[place.index];
            draw_panel(canvas, panel, place.rect, place.lowest, &styles)?;
            match panel.y_title {
                Some(title) if place.index.is_multiple_of(self.columns) => {
                    draw_row_title(canvas, place.rect, title)
                }
                _ => Ok(()),
            }
        })
    }
}
