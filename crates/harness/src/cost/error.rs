//! How far estimates are off: each dataset predicted from the others.

use super::{TimeModel, Timed};
use std::collections::BTreeSet;

/// Predicted over actual seconds of groups of cells on datasets that the model had not seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PredictionError {
    /// How many groups of cells.
    pub predicted: usize,
    /// Their median.
    pub median: f64,
    /// A quarter is below this.
    pub low: f64,
    /// A quarter is above this.
    pub high: f64,
}

/// Leaves out each dataset in turn, and predicts it from the others; `None` with fewer than two datasets.
pub fn left_out(timed: &[Timed]) -> Option<PredictionError> {
    let datasets: BTreeSet<&str> = timed.iter().map(|t| t.work.dataset.as_str()).collect();
    if datasets.len() < 2 {
        return None;
    }
    let mut ratios = Vec::new();
    for dataset in datasets {
        let is_out = |t: &&Timed| t.work.dataset == dataset;
        let (out, others): (Vec<&Timed>, Vec<&Timed>) = timed.iter().partition(is_out);
        let others: Vec<Timed> = others.into_iter().cloned().collect();
        let model = TimeModel::fit(&others);
        let measured = out.into_iter().filter(|t| t.seconds() > 0.0);
        ratios.extend(measured.map(|t| model.seconds(&t.work) / t.seconds()));
    }
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[(share * (ratios.len() - 1) as f64).round() as usize];
    (!ratios.is_empty()).then(|| PredictionError {
        predicted: ratios.len(),
        median: at(0.5),
        low: at(0.25),
        high: at(0.75),
    })
}
