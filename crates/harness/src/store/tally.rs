//! How many cells ended how.

use super::{CellCounts, Record, Status};

/// How the cells of a results folder ended.
#[derive(Debug, Clone)]
pub struct Tally<R> {
    /// How many ended how.
    pub counts: CellCounts,
    /// The first that has no numbers, by identity.
    pub first_without_numbers: Option<R>,
}

impl<R> Default for Tally<R> {
    fn default() -> Self {
        Self {
            counts: CellCounts::default(),
            first_without_numbers: None,
        }
    }
}

impl<R: Record> Tally<R> {
    /// Of these rows, sorted by identity.
    pub fn of(rows: &[R]) -> Self {
        let mut tally = Self::default();
        for row in rows {
            tally.add(row);
        }
        tally
    }

    /// The cell `row` is one more.
    pub(super) fn add(&mut self, row: &R) {
        self.counts.add(row.status());
        if self.first_without_numbers.is_none() && row.status() != Status::Ok {
            self.first_without_numbers = Some(row.clone());
        }
    }
}
