//! The font that measures the text of every figure and draws that of the PNG and PDF files.

use super::error::PlotError;
use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};
use std::sync::OnceLock;

pub(super) static REGULAR: &[u8] = include_bytes!("../../assets/OpenSans-Regular.ttf");
pub(super) static SEMIBOLD: &[u8] = include_bytes!("../../assets/OpenSans-Semibold.ttf");

/// Weight of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// The name under which the font is registered, and the list from which an SVG viewer takes the first that it has.
const FAMILY: &str = "Open Sans, Arial, Helvetica, sans-serif";

/// The font's own name.
pub(super) fn first_family() -> &'static str {
    FAMILY.split(',').next().unwrap_or(FAMILY)
}

/// The figures' font at a size as plotters counts it.
pub(super) fn font(size: f64, weight: Weight) -> FontDesc<'static> {
    let style = match weight {
        Weight::Regular => FontStyle::Normal,
        Weight::Bold => FontStyle::Bold,
    };
    FontDesc::new(FontFamily::Name(FAMILY), size, style)
}

/// Makes the font known to plotters; call before drawing or measuring text.
pub(super) fn register() -> Result<(), PlotError> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    let registered = REGISTERED.get_or_init(|| {
        let regular = register_font(FAMILY, FontStyle::Normal, REGULAR);
        let bold = register_font(FAMILY, FontStyle::Bold, SEMIBOLD);
        regular.is_ok() && bold.is_ok()
    });
    if *registered {
        Ok(())
    } else {
        Err(PlotError::Draw("the built-in font is invalid".to_owned()))
    }
}

/// Width of a text in units of the figure, for a font of `em` units; with room for viewers whose sans-serif is wider.
pub(super) fn width(text: &str, em: f64, weight: Weight) -> Result<f64, PlotError> {
    // Where none of the preferred fonts is there, DejaVu Sans is likely, which is that much wider.
    let room = match weight {
        Weight::Regular => 1.1,
        Weight::Bold => 1.15,
    };
    Ok(advance(text, em, weight)? * room)
}

/// Width of a text in the font itself.
pub(super) fn advance(text: &str, em: f64, weight: Weight) -> Result<f64, PlotError> {
    // plotters measures in whole pixels: measure large.
    const EM: f64 = 1000.0;
    let size = EM * OPEN_SANS_HEIGHT;
    let ((left, _), (right, _)) = font(size, weight)
        .layout_box(text)
        .map_err(|error| PlotError::Draw(error.to_string()))?;
    Ok(f64::from(right - left) / EM * em)
}

/// Ascent plus descent of Open Sans in em: what plotters calls the size of a font that it draws itself.
pub(super) const OPEN_SANS_HEIGHT: f64 = 2789.0 / 2048.0;
