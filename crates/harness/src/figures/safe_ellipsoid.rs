//! The figure `safe-ellipsoid`: the volume of the safe SVM's ellipsoid against the level of noise.

use super::curves::short_name;
use crate::plot::{PaperFigure, PaperRow, PaperWidth, Plot, RowAxis};

/// The figure out of those of `safe-svm`; none if the volumes are not among them.
pub(crate) fn safe_ellipsoid(plots: Vec<Plot>) -> Option<PaperFigure> {
    let volumes = plots
        .into_iter()
        .find(|plot| plot.name() == "safe-volume")?;
    let volumes = volumes.into_lines()?;
    let mut panels = volumes.panels;
    for panel in &mut panels {
        panel.title.clear();
    }
    Some(PaperFigure {
        width: PaperWidth::Single,
        legend: (0..volumes.series.len()).map(|index| vec![index]).collect(),
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
