//! The figures of a report.

use super::ReportError;
use super::svg::{Picture, picture};
use crate::plot::Plot;
use serde::Serialize;

/// A figure as the template shows it.
#[derive(Debug, Serialize)]
pub(super) struct Figure {
    name: String,
    title: String,
    caption: String,
    picture: Picture,
}

/// The figures that `plots` draw.
pub(super) fn figures(plots: &[Plot]) -> Result<Vec<Figure>, ReportError> {
    let figure = |plot: &Plot| {
        let name = plot.name();
        let picture = picture(&plot.svg()?).map_err(|message| ReportError::Figure {
            name: name.to_owned(),
            message,
        })?;
        Ok(Figure {
            name: name.to_owned(),
            title: plot.title().to_owned(),
            caption: plot.caption().to_owned(),
            picture,
        })
    };
    plots.iter().map(figure).collect()
}

#[cfg(test)]
mod tests {
    use crate::plot::COLOURS;

    /// A colour that the style sheet does not know would stay as it is in the dark scheme.
    #[test]
    fn every_colour_of_methods_follows_the_scheme() {
        let style = include_str!("templates/figures.css");
        for colour in COLOURS {
            let [r, g, b] = [colour.0, colour.1, colour.2];
            for property in ["fill", "stroke"] {
                let selector = format!("[{property}=\"#{r:02X}{g:02X}{b:02X}\"]");
                assert!(style.contains(&selector), "{selector}");
            }
        }
    }
}
