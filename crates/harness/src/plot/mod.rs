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
mod pdf;
mod png;
mod scale;
mod style;
mod svg;
mod write;

pub(crate) use axis::Axis;
pub use error::PlotError;
pub(crate) use lines::{LineFigure, LinePanel, LinePoint};
pub(crate) use style::hue;
pub(crate) use write::write_figures;
pub use write::{write_convergence, write_plots};
