//! Figures of a run, in SVG, PNG and PDF.

mod axis;
mod canvas;
mod convergence;
mod curves;
mod drawing;
mod error;
mod figure;
mod font;
mod frame;
mod heading;
mod layout;
mod legend;
mod line_panel;
mod lines;
mod panel;
mod paper;
mod pdf;
mod picture;
mod plane;
mod png;
mod rank_figure;
mod rank_layout;
mod rank_panel;
mod ranks;
mod scale;
mod style;
mod svg;
mod tradeoff;
mod tradeoff_figure;
mod tradeoff_panel;
mod write;

pub(crate) use axis::Axis;
pub use convergence::convergence_plot;
pub use curves::classification_plots;
pub use error::PlotError;
pub(crate) use lines::{LineFigure, LinePanel, LinePoint};
pub(crate) use paper::{PaperFigure, PaperRow, PaperWidth, RowAxis};
pub use picture::Plot;
pub(crate) use plane::{Class, Look, Mark, PlaneFigure, PlanePanel};
pub use ranks::rank_plots;
#[cfg(test)]
pub(crate) use style::COLOURS;
pub(crate) use style::{SeriesStyle, hue};
pub use tradeoff::tradeoff_plot;
pub(crate) use write::write_into;
pub use write::write_plots;
