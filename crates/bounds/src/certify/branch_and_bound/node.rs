//! Cells that wait to be split, the least bound first.

use crate::certify::around::Cell;
use std::cmp::Ordering;

/// A cell with a lower bound on the margin over it.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) lower: f64,
    /// Ties go to the older.
    pub(super) order: usize,
    pub(super) cell: Cell,
    /// The axis to split along.
    pub(super) axis: usize,
}

impl Ord for Node {
    /// The greater is split first.
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .lower
            .total_cmp(&self.lower)
            .then(other.order.cmp(&self.order))
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}
