//! The figure `safe-ellipsoid`: the volume of the safe SVM's ellipsoid against the level of noise.

use super::curves::short_name;
use crate::plot::{LineFigure, PaperFigure, PaperRow, PaperWidth, RowAxis};

/// The figure out of those of `safe-svm`; none if the volumes are not among them.
pub(crate) fn safe_ellipsoid(figures: Vec<(String, LineFigure)>) -> Option<PaperFigure> {
    let (_, volumes) = figures
        .into_iter()
        .find(|(name, _)| name == "safe-volume")?;
    let mut panels = volumes.panels;
    for panel in &mut panels {
        panel.title.clear();
    }
    Some(PaperFigure {
        width: PaperWidth::Single,
        series: volumes
            .series
            .into_iter()
            .map(|(name, look)| (short_name(&name).to_owned(), look))
            .collect(),
        rows: vec![PaperRow {
            x: RowAxis::Labelled,
            y_title: format!("log-volume ({})", volumes.y_title),
            panels,
        }],
        aspect: 0.72,
    })
}
