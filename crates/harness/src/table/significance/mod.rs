//! Tables of what the tests say: within datasets, across them, and of all methods.

mod pairs;
mod parts;
mod ranks;
mod wins;
mod within;

use super::model::Document;
use crate::stats::{Axes, LevelStatistics};

/// The tables `statistics`, `ranks`, `wins` and `within_datasets`, of statistics over the same axes; none without statistics.
pub fn significance_tables(statistics: &[LevelStatistics], axes: &Axes) -> Vec<Document> {
    if statistics.is_empty() {
        return Vec::new();
    }
    vec![
        pairs::document(statistics, axes),
        ranks::document(statistics, axes),
        wins::document(statistics, axes),
        within::document(statistics, axes),
    ]
}
