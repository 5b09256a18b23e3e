//! Critical-difference diagrams [J. Demšar, JMLR 7 (2006), §3.2.4], one below the other.

use super::canvas::Device;
use super::drawing::Drawing;
use super::error::PlotError;
use super::heading::Heading;
use super::layout::width;
use super::page::on_page;
use super::rank_layout::{RankLayout, panel_height};
use super::rank_panel::draw_panel;
use super::style::styles;
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};

/// All that a figure of critical-difference diagrams shows.
#[derive(Debug)]
pub(super) struct RankFigure {
    pub(super) title: String,
    /// How to read it.
    pub(super) note: String,
    pub(super) methods: Vec<String>,
    /// Which of them are trained to be robust.
    pub(super) robust: Vec<bool>,
    /// One a level.
    pub(super) panels: Vec<RankPanel>,
}

/// The diagram of one level.
#[derive(Debug)]
pub(super) struct RankPanel {
    /// The level.
    pub(super) title: String,
    /// What Friedman's test says, or why there is none.
    pub(super) remark: String,
    pub(super) ranks: Option<Ranks>,
}

/// Where the methods stand.
#[derive(Debug)]
pub(super) struct Ranks {
    /// By method, in [1, number of methods].
    pub(super) means: Vec<f64>,
    pub(super) critical_difference: f64,
    /// Methods not told apart.
    pub(super) cliques: Vec<Vec<usize>>,
}

const MARGIN: f64 = 14.0;

/// A figure's parts, measured and placed.
struct Parts {
    heading: Heading,
    layout: RankLayout,
    /// Top of each panel.
    tops: Vec<f64>,
    size: [u32; 2],
}

impl RankFigure {
    fn parts(&self) -> Result<Parts, PlotError> {
        let layout = RankLayout::new(&self.methods, &self.panels, MARGIN, width(2))?;
        let heading = Heading::new(&self.title, &self.note, layout.width - 2.0 * MARGIN)?;
        let mut bottom = heading.height;
        let mut tops = Vec::with_capacity(self.panels.len());
        for panel in &self.panels {
            tops.push(bottom);
            bottom += panel_height(panel.ranks.as_ref());
        }
        let size = [layout.width, bottom + MARGIN].map(|length| length.ceil() as u32);
        Ok(Parts {
            heading,
            layout,
            tops,
            size,
        })
    }
}

impl Drawing for RankFigure {
    fn size(&self) -> Result<[u32; 2], PlotError> {
        Ok(self.parts()?.size)
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        device: Device,
    ) -> Result<(), PlotError> {
        let Parts {
            heading,
            layout,
            tops,
            ..
        } = self.parts()?;
        let styles = styles(&self.methods, &self.robust);
        on_page(area, device, |canvas| {
            heading.draw(canvas, MARGIN)?;
            for (panel, top) in self.panels.iter().zip(tops) {
                draw_panel(canvas, panel, &self.methods, &styles, &layout, top)?;
            }
            Ok(())
        })
    }
}
