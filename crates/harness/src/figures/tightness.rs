//! The figure `bound-tightness`: how far the bounds are above the largest movement found.

use crate::plot::{LinePanel, PaperFigure, PaperRow, PaperWidth, Plot, RowAxis, SeriesStyle};

/// Maps by their figures, with the names they have here.
const MAPS: [(&str, &str); 2] = [("tightness-rff", "RFF"), ("tightness-nystrom", "Nyström")];

/// The panels of the Euclidean norm out of the figures of `bound-tightness`, a row a map; none if it has none of the maps.
pub(crate) fn tightness(plots: Vec<Plot>) -> Option<PaperFigure> {
    let mut series: Vec<(String, SeriesStyle)> = Vec::new();
    // A bound of each map above each other: they look alike.
    let mut columns: Vec<Vec<usize>> = Vec::new();
    let mut found = Vec::new();
    for plot in plots {
        let Some((_, map)) = MAPS.iter().find(|(file, _)| *file == plot.name()) else {
            continue;
        };
        let figure = plot.into_lines()?;
        let panels: Vec<LinePanel> = figure.panels.into_iter().take(figure.columns).collect();
        let first = series.len();
        let names = figure.series.into_iter();
        for (index, column) in (first..first + names.len()).enumerate() {
            match columns.get_mut(index) {
                Some(legend) => legend.push(column),
                None => columns.push(vec![column]),
            }
        }
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
                y_title: None,
                guides: Vec::new(),
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
        legend: columns,
        series,
        rows,
        aspect: 0.8,
    })
}
