//! Figures of curves at the size they are printed at: one or two columns wide, in 8 pt, without a heading, which in a paper is
//! the caption's.

use super::canvas::{Anchor, Device};
use super::drawing::Drawing;
use super::error::PlotError;
use super::layout::{Layout, PANEL_TITLE, Y_LABELS, Y_TITLE};
use super::legend::Legend;
use super::line_panel::draw_panel;
use super::lines::LinePanel;
use super::page::on_page;
use super::panel::LABEL;
use super::style::SeriesStyle;
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};

/// Labels of 14.5 units are 8 pt.
pub(super) const PRINT_SCALE: f64 = 0.7352;
/// Space above the legend.
const TOP: f64 = 6.0;
/// Space above a row of panels without titles.
const UNTITLED: f64 = 4.0;

/// The width of a figure in print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PaperWidth {
    /// A column, 3.4 inches.
    Single,
    /// The text, 7 inches.
    Double,
}

impl PaperWidth {
    /// The width in units of the figure.
    pub(super) fn units(self) -> f64 {
        match self {
            Self::Single => 444.0,
            Self::Double => 914.0,
        }
    }
}

/// Where the marks of a row's x axes have their labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowAxis {
    /// Below the row.
    Labelled,
    /// Below the next row, whose axes are the same.
    Shared,
}

/// A row of panels with one title of their y axes.
#[derive(Debug)]
pub(crate) struct PaperRow {
    pub(crate) y_title: String,
    pub(crate) x: RowAxis,
    pub(crate) panels: Vec<LinePanel>,
}

/// All that a figure shows.
#[derive(Debug)]
pub(crate) struct PaperFigure {
    pub(crate) width: PaperWidth,
    /// Names in the legend, with the looks of their curves.
    pub(crate) series: Vec<(String, SeriesStyle)>,
    /// The columns of the legend: indices of series.
    pub(crate) legend: Vec<Vec<usize>>,
    pub(crate) rows: Vec<PaperRow>,
    /// Height of a panel over its width.
    pub(crate) aspect: f64,
}

/// A figure's parts, measured and placed: a layout for each row.
struct Parts {
    legend: Legend,
    rows: Vec<Layout>,
    height: f64,
}

impl PaperFigure {
    fn parts(&self) -> Result<Parts, PlotError> {
        let names: Vec<String> = self.series.iter().map(|(name, _)| name.clone()).collect();
        let width = self.width.units();
        let legend = Legend::new(&names, self.legend.clone(), &[], width - 2.0 * Y_TITLE)?;
        let mut height = TOP + legend.height;
        let mut rows = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let columns = row.panels.len().max(1);
            if row.panels.iter().all(|panel| panel.title.is_empty()) {
                height -= PANEL_TITLE - UNTITLED;
            }
            let layout = Layout::within(width, [columns; 2], height, self.aspect, Y_LABELS);
            height = match row.x {
                RowAxis::Labelled => layout.height,
                RowAxis::Shared => layout.grid_bottom,
            };
            rows.push(layout);
        }
        Ok(Parts {
            legend,
            rows,
            height,
        })
    }
}

impl Drawing for PaperFigure {
    fn size(&self) -> Result<[u32; 2], PlotError> {
        let height = self.parts()?.height;
        Ok([self.width.units(), height].map(|length| length.ceil() as u32))
    }

    fn print_scale(&self) -> f64 {
        PRINT_SCALE
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        device: Device,
    ) -> Result<(), PlotError> {
        let Parts { legend, rows, .. } = self.parts()?;
        let (names, styles): (Vec<String>, Vec<SeriesStyle>) = self.series.iter().cloned().unzip();
        on_page(area, device, |canvas| {
            legend.draw(canvas, (Y_TITLE, TOP), &names, &styles)?;
            for (row, layout) in self.rows.iter().zip(rows) {
                for (panel, rect) in row.panels.iter().zip(&layout.panels) {
                    draw_panel(canvas, panel, *rect, row.x == RowAxis::Labelled, &styles)?;
                }
                if let Some(first) = layout.panels.first() {
                    let beside = (Y_TITLE - 8.0, f64::midpoint(first.top, first.bottom));
                    canvas.text(&row.y_title, beside, Anchor::Upwards, LABEL)?;
                }
            }
            Ok(())
        })
    }
}
