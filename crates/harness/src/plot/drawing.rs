//! What can be written as SVG, PNG and PDF.

use super::canvas::Device;
use super::error::PlotError;
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};

/// A figure of any sort.
pub(super) trait Drawing {
    /// Width and height in whole units of the figure.
    fn size(&self) -> Result<[u32; 2], PlotError>;

    /// Units of 1/96 inch that a unit of the figure has in print.
    fn print_scale(&self) -> f64 {
        1.0
    }

    /// Draws it on any backend.
    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        device: Device,
    ) -> Result<(), PlotError>;
}
