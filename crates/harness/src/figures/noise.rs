//! The figure `noise`: accuracy and robust error against the level of noise.

use super::curves::{Metric, curve, panel, short_name, shown};
use crate::plot::{PaperFigure, PaperRow, PaperWidth, RowAxis, hue};
use crate::stats::Axes;
use crate::store::CellRow;

/// Methods by pairs, nominal and robust, with the names they have in the figure.
const METHODS: [(&str, &str); 6] = [
    ("linear", "linear"),
    ("robust-linear", "robust-linear"),
    ("rff", "RFF"),
    ("robust-rff", "robust-RFF"),
    ("nystrom", "Nyström"),
    ("robust-nystrom", "robust-Nyström"),
];

/// The figure of the rows of `noise-grid`; none if it has none of the datasets and methods.
pub(crate) fn noise(rows: &[CellRow], axes: &Axes) -> Option<PaperFigure> {
    let datasets = shown(axes);
    let present = |(name, _): &&(&str, &str)| axes.methods.iter().any(|method| method == name);
    let methods: Vec<(&str, &str)> = METHODS.iter().filter(present).copied().collect();
    if datasets.is_empty() || methods.is_empty() {
        return None;
    }
    let row = |y_title: &str, x: RowAxis, ends: (Metric, Metric)| {
        // Errors are shown from 0, below the titled accuracies.
        let (titled, from_zero) = (x == RowAxis::Shared, x == RowAxis::Labelled);
        let panel_of = |&dataset: &&str| {
            let curves = methods.iter();
            let curves = curves.map(|(method, _)| curve(rows, axes, (dataset, method), ends));
            panel(
                if titled { short_name(dataset) } else { "" },
                axes,
                from_zero,
                curves.collect(),
            )
        };
        PaperRow {
            y_title: y_title.to_owned(),
            x,
            panels: datasets.iter().map(panel_of).collect(),
        }
    };
    let accuracy: Metric = |m| Some(100.0 * m.noisy_accuracy);
    let certified: Metric = |m| Some(100.0 * m.certified_error);
    let attack: Metric = |m| Some(100.0 * m.attack_error);
    let place = |name: &str| METHODS.iter().position(|(method, _)| *method == name);
    let look = |(method, name): &(&str, &str)| {
        let index = place(method).expect("one of them");
        (name.to_string(), hue(index / 2, index % 2 == 0))
    };
    Some(PaperFigure {
        width: PaperWidth::Double,
        legend: columns(&methods),
        series: methods.iter().map(look).collect(),
        rows: vec![
            row("noisy accuracy (%)", RowAxis::Shared, (accuracy, accuracy)),
            row("robust error (%)", RowAxis::Labelled, (certified, attack)),
        ],
        aspect: 0.8,
    })
}

/// A nominal method above its robust one.
fn columns(methods: &[(&str, &str)]) -> Vec<Vec<usize>> {
    let place = |name: &str| methods.iter().position(|(method, _)| *method == name);
    let columns = METHODS.chunks(2);
    let column = |pair: &[(&str, &str)]| pair.iter().filter_map(|(name, _)| place(name)).collect();
    columns
        .map(column)
        .filter(|column: &Vec<usize>| !column.is_empty())
        .collect()
}
