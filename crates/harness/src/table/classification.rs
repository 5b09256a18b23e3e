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
use crate::stats::{Groups, SummaryRow, compare, overall};
use crate::store::StoreError;

/// `accuracy`, `noisy_accuracy`, `robust_error`, `certificates`, `selection`; `path_equivalence` where radii are uniform and
/// `comparison` where there are comparisons.
///
/// `summary` is that of the groups.
///
/// # Errors
/// [`StoreError`] if the cells cannot be read.
pub fn classification_tables(
    groups: &Groups<'_>,
    summary: &[SummaryRow],
    comparisons: &[Comparison],
) -> Result<Vec<Document>, StoreError> {
    let axes = groups.axes;
    let overall = overall(groups)?;
    let lines = lines(summary, overall.as_deref(), axes);
    let mut documents: Vec<Document> = METRICS
        .iter()
        .map(|metric| metric_table(metric, &lines, summary, axes))
        .collect();
    let widths = widths(summary, axes);
    documents.push(certificates_table(summary, &widths, axes.unit));
    let selections = selections(groups, summary)?;
    documents.push(selection_table(&selections, axes.unit));
    let equivalences = equivalences(groups)?;
    if !equivalences.is_empty() {
        documents.push(path_table(&equivalences, axes.unit));
    }
    if !comparisons.is_empty() {
        let compared = compare(groups, comparisons)?;
        documents.push(comparison_table(&compared, axes.unit));
    }
    Ok(documents)
}
