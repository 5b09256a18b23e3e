//! The figure `bound-tightness`: how far the bounds are above the largest movement found.

use crate::plot::{LineFigure, LinePanel, PaperFigure, PaperRow, PaperWidth, RowAxis, SeriesStyle};

/// Maps by their figures, with the names they have here.
const MAPS: [(&str, &str); 2] = [("tightness-rff", "RFF"), ("tightness-nystrom", "Nyström")];

/// The panels of the Euclidean norm out of the figures of `bound-tightness`, a row a map; none if it has none of the maps.
pub(crate) fn tightness(figures: Vec<(String, LineFigure)>) -> Option<PaperFigure> {
    let mut series: Vec<(String, SeriesStyle)> = Vec::new();
    let mut found = Vec::new();
    for (name, figure) in figures {
        let Some((_, map)) = MAPS.iter().find(|(file, _)| *file == name) else {
            continue;
        };
        let panels: Vec<LinePanel> = figure.panels.into_iter().take(figure.columns).collect();
        let first = series.len();
        let names = figure.series.into_iter();
        series.extend(names.map(|(bound, look)| (format!("{map}: {bound}"), look)));
        found.push((format!("{map}: {}", figure.y_title), first, panels));
    }
    let all = series.len();
    // The curves of a map stand behind those of the maps before it.
    let mut rows: Vec<PaperRow> = Vec::new();
    for (y_title, first, panels) in found {
        let widened = panels.into_iter().map(|panel| {
            let mut curves = vec![Vec::new(); first];
            curves.extend(panel.curves);
            curves.resize(all, Vec::new());
            // The figure's titles name the norm where there are several; here there is one.
            let title = panel.title.split(',').next().unwrap_or_default();
            LinePanel {
                title: if first == 0 {
                    title.to_owned()
                } else {
                    String::new()
                },
                curves,
                ..panel
            }
        });
        rows.push(PaperRow {
            y_title,
            x: RowAxis::Labelled,
            panels: widened.collect(),
        });
    }
    let drawn = rows.iter().any(|row| !row.panels.is_empty());
    drawn.then_some(PaperFigure {
        width: PaperWidth::Double,
        series,
        rows,
        aspect: 0.8,
    })
}
