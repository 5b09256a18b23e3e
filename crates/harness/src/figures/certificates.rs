//! The figure `certificates`: between which values the robust error lies, and what the paper's bounds certify.

use super::curves::{Metric, curve, panel, short_name, shown};
use crate::plot::{PaperFigure, PaperRow, PaperWidth, RowAxis, hue};
use crate::stats::Axes;
use crate::store::CellRow;

const METHODS: [(&str, &str); 2] = [("rff", "RFF"), ("nystrom", "Nyström")];

/// The figure of the rows of `certificates`; none if it has none of the datasets.
pub(crate) fn certificates(rows: &[CellRow], axes: &Axes) -> Option<PaperFigure> {
    let datasets = shown(axes);
    if datasets.is_empty() {
        return None;
    }
    let paper: Metric = |m| Some(100.0 * m.paper_certified_error?);
    let certified: Metric = |m| Some(100.0 * m.exact_certified_error.unwrap_or(m.certified_error));
    let attack: Metric = |m| Some(100.0 * m.exact_attack_error.unwrap_or(m.attack_error));
    let panel_of = |&dataset: &&str| {
        let of_method = |(method, _): &(&str, &str)| {
            [(certified, attack), (paper, paper)]
                .map(|ends| curve(rows, axes, (dataset, method), ends))
        };
        panel(
            short_name(dataset),
            axes,
            true,
            METHODS.iter().flat_map(of_method).collect(),
        )
    };
    let looks = METHODS.iter().enumerate().flat_map(|(index, (_, name))| {
        [
            (format!("{name}, certified"), hue(index, false)),
            (format!("{name}, paper's bound"), hue(index, true)),
        ]
    });
    Some(PaperFigure {
        width: PaperWidth::Double,
        legend: (0..2 * METHODS.len()).map(|index| vec![index]).collect(),
        series: looks.collect(),
        rows: vec![PaperRow {
            y_title: "robust error (%)".to_owned(),
            x: RowAxis::Labelled,
            panels: datasets.iter().map(panel_of).collect(),
        }],
        aspect: 0.9,
    })
}
