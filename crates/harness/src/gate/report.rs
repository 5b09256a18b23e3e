//! What moved, for a person.

use super::{Comparison, Verdict};
use std::fmt;

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for moved in &self.moved {
            let sign = if moved.better { "better" } else { "worse " };
            writeln!(
                f,
                "{sign}  {}  {}: {} → {}",
                moved.cell, moved.metric, moved.baseline, moved.now
            )?;
        }
        let sum = match self.verdict {
            Verdict::Same => "as in the baseline",
            Verdict::Regressed => "regressed",
            Verdict::Improved => "improved beyond the baseline: refresh it with --update",
            Verdict::NothingMeasured => "nothing was measured",
        };
        write!(
            f,
            "{} compared, {} moved: {sum}",
            counted(self.cells, "cell"),
            counted(self.moved.len(), "number")
        )
    }
}

/// `1 cell`, `2 cells`.
fn counted(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}
