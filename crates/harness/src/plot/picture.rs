//! A figure: its name, and how to get it in any form.

use super::canvas::Device;
use super::drawing::Drawing;
use super::error::PlotError;
use super::figure::Figure;
use super::lines::LineFigure;
use super::matrix::MatrixFigure;
use super::paper::PaperFigure;
use super::plane::PlaneFigure;
use super::rank_figure::RankFigure;
use super::tradeoff_figure::TradeoffFigure;
use super::{font, pdf, png, svg};
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
    /// Counts of true and predicted classes.
    Matrix(MatrixFigure),
    /// Curves at the size of print.
    Paper(PaperFigure),
    /// Points of the plane at the size of print.
    Plane(PlaneFigure),
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

    /// The figure of counts `matrix`, in files called `name`.
    pub(crate) fn of_counts(name: impl Into<String>, matrix: MatrixFigure) -> Self {
        Self::new(name, Picture::Matrix(matrix))
    }

    /// The figure `paper`, in files called `name`.
    pub(crate) fn of_paper(name: impl Into<String>, paper: PaperFigure) -> Self {
        Self::new(name, Picture::Paper(paper))
    }

    /// The figure `plane`, in files called `name`.
    pub(crate) fn of_plane(name: impl Into<String>, plane: PlaneFigure) -> Self {
        Self::new(name, Picture::Plane(plane))
    }

    /// What it is made of, if that is curves on axes of their own.
    pub(crate) fn into_lines(self) -> Option<LineFigure> {
        match self.picture {
            Picture::Lines(figure) => Some(figure),
            _ => None,
        }
    }

    /// The name of its files, without the ending.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What stands above it: nothing at the size of print, where the caption does.
    pub fn title(&self) -> &str {
        match &self.picture {
            Picture::Panels(figure) => &figure.title,
            Picture::Lines(figure) => &figure.title,
            Picture::Ranks(figure) => &figure.title,
            Picture::Tradeoff(figure) => &figure.title,
            Picture::Matrix(figure) => &figure.title,
            Picture::Paper(_) | Picture::Plane(_) => "",
        }
    }

    /// How to read it; nothing at the size of print.
    pub fn caption(&self) -> &str {
        match &self.picture {
            Picture::Panels(figure) => &figure.note,
            Picture::Lines(figure) => &figure.note,
            Picture::Ranks(figure) => &figure.note,
            Picture::Tradeoff(figure) => &figure.note,
            Picture::Matrix(figure) => &figure.note,
            Picture::Paper(_) | Picture::Plane(_) => "",
        }
    }

    /// Puts `warning` before how to read it.
    pub(crate) fn warn(&mut self, warning: &str) {
        let note = match &mut self.picture {
            Picture::Panels(figure) => &mut figure.note,
            Picture::Lines(figure) => &mut figure.note,
            Picture::Ranks(figure) => &mut figure.note,
            Picture::Tradeoff(figure) => &mut figure.note,
            Picture::Matrix(figure) => &mut figure.note,
            // What a paper's caption says is not the figure's.
            Picture::Paper(_) | Picture::Plane(_) => return,
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

    /// The figure as PDF, with title and caption in it.
    ///
    /// # Errors
    /// [`PlotError`] for what the drawing library says.
    pub fn pdf(&self) -> Result<Vec<u8>, PlotError> {
        pdf::pdf(&self.svg()?)
    }
}

impl Drawing for Picture {
    fn size(&self) -> Result<[u32; 2], PlotError> {
        match self {
            Self::Panels(figure) => figure.size(),
            Self::Lines(figure) => figure.size(),
            Self::Ranks(figure) => figure.size(),
            Self::Tradeoff(figure) => figure.size(),
            Self::Matrix(figure) => figure.size(),
            Self::Paper(figure) => figure.size(),
            Self::Plane(figure) => figure.size(),
        }
    }

    fn print_scale(&self) -> f64 {
        match self {
            Self::Panels(figure) => figure.print_scale(),
            Self::Lines(figure) => figure.print_scale(),
            Self::Ranks(figure) => figure.print_scale(),
            Self::Tradeoff(figure) => figure.print_scale(),
            Self::Matrix(figure) => figure.print_scale(),
            Self::Paper(figure) => figure.print_scale(),
            Self::Plane(figure) => figure.print_scale(),
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
            Self::Matrix(figure) => figure.draw(area, device),
            Self::Paper(figure) => figure.draw(area, device),
            Self::Plane(figure) => figure.draw(area, device),
        }
    }
}
