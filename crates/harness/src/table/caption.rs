//! What every table says about itself.

use crate::spec::CompareMetric;
use crate::stats::{LevelUnit, SummaryRow};

/// What the level is, and in which unit.
pub(super) fn level(unit: LevelUnit) -> String {
    if unit == LevelUnit::Chance {
        return "Level ε: probability with which noise may break a margin; the sets hold it with 1 − ε.".to_owned();
    }
    let unit = unit.words();
    format!("Level γ: size of the uncertainty sets, in {unit} of the features.")
}

/// The repeats that a mean runs over when every cell was measured, in words.
pub(crate) fn repeats(summary: &[SummaryRow]) -> String {
    let cells = || summary.iter().map(|row| row.counts.cells);
    match (cells().min(), cells().max()) {
        (Some(1), Some(1)) => "1 repeat".to_owned(),
        (Some(least), Some(most)) if least == most => format!("{most} repeats"),
        (Some(least), Some(most)) => format!("{least} to {most} repeats"),
        _ => "no repeats".to_owned(),
    }
}

/// An error in words.
pub(crate) fn words(metric: CompareMetric) -> &'static str {
    match metric {
        CompareMetric::CleanError => "error on clean test points",
        CompareMetric::NoisyError => "error on test points with random noise",
        CompareMetric::AttackError => "error under attack",
        CompareMetric::CertifiedError => "certified error",
    }
}
