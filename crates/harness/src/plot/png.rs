//! A figure as PNG, two pixels to a unit of the figure.

use super::canvas::Device;
use super::drawing::Drawing;
use super::error::PlotError;
use super::font::OPEN_SANS_HEIGHT;
use plotters::prelude::{BitMapBackend, IntoDrawingArea as _};

/// Pixels to a unit of the figure.
const PIXELS: u32 = 2;
/// Drawn pixels to a pixel of the file, in each direction: plotters smooths few edges itself.
const OVERSAMPLING: u32 = 2;
/// Units of an SVG to an inch.
const UNITS_PER_INCH: f64 = 96.0;

/// plotters puts the base line of text that it draws half a size below the top, and takes a size to be 1.24 em when it centres.
const DEVICE: Device = Device {
    scale: (PIXELS * OVERSAMPLING) as f64,
    font_size: OPEN_SANS_HEIGHT,
    baseline: OPEN_SANS_HEIGHT * (0.5 - 0.5 / 1.24),
};

/// The figure's PNG: RGB, 8 bits, without a date.
pub(super) fn png(figure: &impl Drawing) -> Result<Vec<u8>, PlotError> {
    let [width, height] = figure.size()?.map(|length| length * PIXELS);
    let fine = (width * OVERSAMPLING, height * OVERSAMPLING);
    let mut pixels = vec![255; (fine.0 * fine.1 * 3) as usize];
    let area = BitMapBackend::with_buffer(&mut pixels, fine).into_drawing_area();
    figure.draw(&area, DEVICE)?;
    drop(area);
    encode(
        &averaged(&pixels, width as usize, height as usize),
        (width, height),
        f64::from(PIXELS) * UNITS_PER_INCH / figure.print_scale(),
    )
}

/// Means over squares of drawn pixels.
fn averaged(fine: &[u8], width: usize, height: usize) -> Vec<u8> {
    let side = OVERSAMPLING as usize;
    let stride = width * side * 3;
    let mut pixels = Vec::with_capacity(width * height * 3);
    for y in 0..height {
        for x in 0..width {
            let corner = y * side * stride + x * side * 3;
            for channel in 0..3 {
                let mut sum = 0;
                for dy in 0..side {
                    for dx in 0..side {
                        sum += usize::from(fine[corner + dy * stride + dx * 3 + channel]);
                    }
                }
                let area = side * side;
                pixels.push(((sum + area / 2) / area) as u8);
            }
        }
    }
    pixels
}

/// The PNG of these pixels, `resolution` of them to an inch.
fn encode(
    pixels: &[u8],
    (width, height): (u32, u32),
    resolution: f64,
) -> Result<Vec<u8>, PlotError> {
    const METRES_PER_INCH: f64 = 0.0254;
    let per_metre = (resolution / METRES_PER_INCH).round() as u32;
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, width, height);
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    // Large areas of one colour: plain rows compress best. The best compression makes files a twentieth smaller and takes
    // five times as long, which at the end of a small grid is most of what one waits for.
    encoder.set_filter(::png::FilterType::NoFilter);
    encoder.set_compression(::png::Compression::Default);
    encoder.set_pixel_dims(Some(::png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: ::png::Unit::Meter,
    }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}
