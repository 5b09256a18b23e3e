//! A figure as SVG.

use super::canvas::Device;
use super::drawing::Drawing;
use super::error::PlotError;
use plotters::prelude::{IntoDrawingArea as _, SVGBackend};

/// plotters' own factor between a font's size and its em in SVG; text is centred by half an ex, about a quarter of an em.
const DEVICE: Device = Device {
    scale: 10.0,
    font_size: 1.24,
    baseline: 0.26,
};

/// The figure's SVG. Its view box is finer than its size, since plotters rounds coordinates to whole units.
pub(super) fn svg(figure: &impl Drawing) -> Result<String, PlotError> {
    let size = figure.size()?;
    let fine = size.map(|length| length * DEVICE.scale as u32);
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (fine[0], fine[1])).into_drawing_area();
    figure.draw(&area, DEVICE)?;
    drop(area);
    let header = |[width, height]: [f64; 2]| format!("<svg width=\"{width}\" height=\"{height}\"");
    let written = header(fine.map(f64::from));
    let printed = size.map(|length| round(f64::from(length) * figure.print_scale()));
    Ok(svg.replacen(&written, &header(printed), 1))
}

/// Two decimals: a hundredth of a unit is finer than any printer.
fn round(length: f64) -> f64 {
    (100.0 * length).round() / 100.0
}
