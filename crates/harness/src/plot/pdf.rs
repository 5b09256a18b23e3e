//! A figure as PDF, from its SVG, with the embedded font.

use super::error::PlotError;
use super::font::{REGULAR, SEMIBOLD, first_family};
use krilla::geom::Size;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};
use krilla_svg::{SurfaceExt as _, SvgSettings};
use std::sync::{Arc, OnceLock};
use usvg::fontdb::{Database, Language, Source, Weight};
use usvg::{Options, Tree};

/// Points to a unit of an SVG, 72 and 96 to the inch.
const POINTS: f32 = 0.75;

/// The PDF of an SVG: one page of its size, with text that can be searched and copied, and without a date.
pub(super) fn pdf(svg: &str) -> Result<Vec<u8>, PlotError> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let options = Options {
        fontdb: Arc::clone(FONTS.get_or_init(fonts)),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| PlotError::Pdf(error.to_string()))?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let size = Size::from_wh(POINTS * width, POINTS * height)
        .ok_or_else(|| PlotError::Pdf(format!("a page of {width} by {height} has no area")))?;
    let mut document = Document::new_with(SerializeSettings {
        xmp_metadata: false,
        ..SerializeSettings::default()
    });
    let mut page = document.start_page_with(PageSettings::new(size));
    let mut surface = page.surface();
    let drawn = surface.draw_svg(&tree, size, SvgSettings::default());
    surface.finish();
    page.finish();
    drawn.ok_or_else(|| PlotError::Pdf("the SVG cannot be drawn".to_owned()))?;
    document
        .finish()
        .map_err(|error| PlotError::Pdf(format!("{error:?}")))
}

/// The embedded font alone, so that no other is found on any machine; the semibold face serves for bold.
fn fonts() -> Arc<Database> {
    let mut fonts = Database::new();
    fonts.load_font_data(REGULAR.to_vec());
    for id in fonts.load_font_source(Source::Binary(Arc::new(SEMIBOLD))) {
        let mut face = fonts.face(id).expect("just loaded").clone();
        fonts.remove_face(id);
        face.families = vec![(first_family().to_owned(), Language::English_UnitedStates)];
        face.weight = Weight::BOLD;
        fonts.push_face_info(face);
    }
    Arc::new(fonts)
}

#[cfg(test)]
mod tests {
    use super::{fonts, pdf};
    use crate::plot::font::first_family;
    use usvg::fontdb::{Family, Query, Weight};

    #[test]
    fn figures_find_the_embedded_font_in_both_weights() {
        let fonts = fonts();
        let found = |weight| {
            let families = &[Family::Name(first_family())];
            let query = Query {
                families,
                weight,
                ..Query::default()
            };
            let id = fonts.query(&query).expect("a face");
            fonts
                .face(id)
                .expect("of the database")
                .post_script_name
                .clone()
        };
        assert_eq!(found(Weight::NORMAL), "OpenSans");
        assert_eq!(found(Weight::BOLD), "OpenSans-Semibold");
    }

    #[test]
    fn what_is_no_svg_is_an_error() {
        assert!(pdf("<svg").is_err());
    }
}
