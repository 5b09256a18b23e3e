//! Figures of a run, in SVG and PNG.

mod axis;
mod canvas;
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
mod picture;
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
pub use curves::classification_plots;
pub use error::PlotError;
pub(crate) use lines::{LineFigure, LinePanel, LinePoint};
pub use picture::Plot;
pub use ranks::rank_plots;
#[cfg(test)]
pub(crate) use style::COLOURS;
pub(crate) use style::hue;
pub use tradeoff::tradeoff_plot;
pub use write::write_plots;
