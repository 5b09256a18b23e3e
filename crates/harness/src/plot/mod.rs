//! Figures of a run, in SVG, PNG and PDF.

mod axis;
mod canvas;
mod convergence;
mod curves;
mod drawing;
mod error;
mod figure;
mod font;
mod heading;
mod layout;
mod legend;
mod line_panel;
mod lines;
mod panel;
mod paper;
mod pdf;
mod plane;
mod png;
mod scale;
mod style;
mod svg;
mod write;

pub(crate) use axis::Axis;
pub use error::PlotError;
pub(crate) use lines::{LineFigure, LinePanel, LinePoint};
pub(crate) use paper::{PaperFigure, PaperRow, PaperWidth, RowAxis};
pub(crate) use plane::{Class, Look, Mark, PlaneFigure, PlanePanel};
pub(crate) use style::{SeriesStyle, hue};
pub use write::{write_convergence, write_plots};
pub(crate) use write::{write_figures, write_paper, write_plane};
