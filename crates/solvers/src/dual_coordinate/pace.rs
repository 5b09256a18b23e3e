//! Whether epochs or proximal steps are expected to end a solve sooner.

use super::epoch::VISIT;
use super::finish::{MAX_WIDTH, finish_cost};
use super::rows::Rows;

/// After a finish that did not reach the tolerance the gap must fall to this share of what it was, before the next.
const RETRY: f64 = 0.1;

/// The speed at which the gap falls, in decimal logarithms a unit of work.
pub(super) struct Pace {
    last_gap: f64,
    needed_gap: f64,
    /// One product with every row.
    pass: f64,
}

impl Pace {
    pub(super) fn new<R: Rows>(rows: &R) -> Self {
        let pass: usize = (0..rows.len()).map(|i| rows.entries(i) + VISIT).sum();
        Self {
            last_gap: f64::INFINITY,
            needed_gap: f64::INFINITY,
            pass: pass as f64,
        }
    }

    /// Whether the work to the tolerance is more than that of a finish, if the gap goes on falling as it did by the last `work`.
    pub(super) fn should_finish<R: Rows>(
        &mut self,
        rows: &R,
        margins: &[f64],
        work: usize,
        (gap, tolerance): (f64, f64),
    ) -> bool {
        let fallen = (self.last_gap / gap).ln().max(0.0);
        let known = self.last_gap.is_finite();
        self.last_gap = gap;
        if !known || gap <= tolerance || gap > self.needed_gap || rows.dim() >= MAX_WIDTH {
            return false;
        }
        let left = work as f64 * (gap / tolerance).ln() / fallen;
        let is_longer = left > finish_cost(rows, self.pass, margins, gap);
        if is_longer {
            self.needed_gap = RETRY * gap;
        }
        is_longer
    }
}
