//! The tables of a classification.

use super::certificates::certificates_table;
use super::comparison::comparison_table;
use super::grid::lines;
use super::metric::METRICS;
use super::metric_table::metric_table;
use super::model::Document;
use super::path::{equivalences, path_table};
use super::selection::{selection_table, selections};
use super::widths::widths;
use crate::plan::Comparison;
use crate::stats::{Axes, compare, overall, summarise};
use crate::store::CellRow;

/// `accuracy`, `noisy_accuracy`, `robust_error`, `certificates`, `selection`; `path_equivalence` where radii are uniform and
/// `comparison` where there are comparisons.
///
/// Rows not on the axes are left out; the order of the rows does not matter.
pub fn classification_tables(
    rows: &[CellRow],
    axes: &Axes,
    comparisons: &[Comparison],
) -> Vec<Document> {
    let summary = summarise(rows, axes);
    let overall = overall(rows, axes);
    let lines = lines(&summary, overall.as_deref(), axes);
    let mut documents: Vec<Document> = METRICS
        .iter()
        .map(|metric| metric_table(metric, &lines, &summary, axes))
        .collect();
    let widths = widths(&summary, axes);
    documents.push(certificates_table(&summary, &widths, axes.unit));
    let selections = selections(rows, &summary, axes);
    documents.push(selection_table(&selections, axes.unit));
    let equivalences = equivalences(rows, axes);
    if !equivalences.is_empty() {
        documents.push(path_table(&equivalences, axes.unit));
    }
    if !comparisons.is_empty() {
        let compared = compare(rows, axes, comparisons);
        documents.push(comparison_table(&compared, axes.unit));
    }
    documents
}
