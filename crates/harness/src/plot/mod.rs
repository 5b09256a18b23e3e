//! Figures of a run, in SVG and PNG.

mod canvas;
mod curves;
mod error;
mod figure;
mod font;
mod heading;
mod layout;
mod legend;
mod panel;
mod png;
mod scale;
mod style;
mod svg;
mod write;

pub use error::PlotError;
pub use write::write_plots;
