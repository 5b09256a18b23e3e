//! A figure of a run: its name, and how to get it in any form.

use super::canvas::Device;
use super::drawing::Drawing;
use super::error::PlotError;
use super::figure::Figure;
use super::lines::LineFigure;
use super::rank_figure::RankFigure;
use super::tradeoff_figure::TradeoffFigure;
use super::{font, png, svg};
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};

/// A figure with the name of its files.
#[derive(Debug)]
pub struct Plot {
    name: String,
    picture: Picture,
}

/// What a figure is made of.
#[derive(Debug)]
pub(super) enum Picture {
    /// A panel for each dataset, the levels below.
    Panels(Figure),
    /// Curves, each panel with axes of its own.
    Lines(LineFigure),
    /// A critical-difference diagram for each level.
    Ranks(RankFigure),
    /// Clean against robust accuracy, a panel for each dataset.
    Tradeoff(TradeoffFigure),
}

impl Plot {
    /// The figure `picture`, in files called `name`.
    pub(super) fn new(name: impl Into<String>, picture: Picture) -> Self {
        Self {
            name: name.into(),
            picture,
        }
    }

    /// The figure of curves `lines`, in files called `name`.
    pub(crate) fn of_lines(name: impl Into<String>, lines: LineFigure) -> Self {
        Self::new(name, Picture::Lines(lines))
    }

    /// The name of its files, without the ending.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What stands above it.
    pub fn title(&self) -> &str {
        match &self.picture {
            Picture::Panels(figure) => &figure.title,
            Picture::Lines(figure) => &figure.title,
            Picture::Ranks(figure) => &figure.title,
            Picture::Tradeoff(figure) => &figure.title,
        }
    }

    /// How to read it.
    pub fn caption(&self) -> &str {
        match &self.picture {
            Picture::Panels(figure) => &figure.note,
            Picture::Lines(figure) => &figure.note,
            Picture::Ranks(figure) => &figure.note,
            Picture::Tradeoff(figure) => &figure.note,
        }
    }

    /// Puts `warning` before how to read it.
    pub(crate) fn warn(&mut self, warning: &str) {
        let note = match &mut self.picture {
            Picture::Panels(figure) => &mut figure.note,
            Picture::Lines(figure) => &mut figure.note,
            Picture::Ranks(figure) => &mut figure.note,
            Picture::Tradeoff(figure) => &mut figure.note,
        };
        *note = format!("{warning} {note}");
    }

    /// The figure as SVG, with title and caption in it.
    ///
    /// # Errors
    /// [`PlotError`] for what the drawing library says.
    pub fn svg(&self) -> Result<String, PlotError> {
        font::register()?;
        svg::svg(&self.picture)
    }

    /// The figure as PNG, with title and caption in it.
    ///
    /// # Errors
    /// [`PlotError`] for what the drawing library says.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        font::register()?;
        png::png(&self.picture)
    }
}

impl Drawing for Picture {
    fn size(&self) -> Result<[u32; 2], PlotError> {
        match self {
            Self::Panels(figure) => figure.size(),
            Self::Lines(figure) => figure.size(),
            Self::Ranks(figure) => figure.size(),
            Self::Tradeoff(figure) => figure.size(),
        }
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        device: Device,
    ) -> Result<(), PlotError> {
        match self {
            Self::Panels(figure) => figure.draw(area, device),
            Self::Lines(figure) => figure.draw(area, device),
            Self::Ranks(figure) => figure.draw(area, device),
            Self::Tradeoff(figure) => figure.draw(area, device),
        }
    }
}
