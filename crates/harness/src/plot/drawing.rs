//! What can be written as SVG, PNG and PDF.

use super::canvas::Device;
use super::error::PlotError;
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};

/// A figure of any sort.
pub(super) trait Drawing {
    /// Width and height in whole units of the figure.
    fn size(&self) -> Result<[u32; 2], PlotError>;

    /// Draws it on any backend.
    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        device: Device,
    ) -> Result<(), PlotError>;
}
