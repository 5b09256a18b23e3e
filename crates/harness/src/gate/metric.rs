//! The numbers of a cell that are held against a baseline.

use crate::store::Measurement;

/// A number of a cell, a fraction in [0, 1].
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Its column in `cells.parquet`.
    pub name: &'static str,
    /// The number; `None` where the experiment does not ask for it.
    pub of: fn(&Measurement) -> Option<f64>,
    /// Whether more of it is better.
    pub higher_is_better: bool,
}

impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Metric {
    /// `difference`, now − baseline, positive where it is for the better.
    pub(super) fn gain(&self, difference: f64) -> f64 {
        if self.higher_is_better {
            difference
        } else {
            -difference
        }
    }
}

/// Every such number: accuracies, both ends of the bracket of the robust error, and its ends after a search and by the
/// paper's bounds.
pub const METRICS: [Metric; 7] = [
    Metric {
        name: "accuracy",
        of: |m| Some(m.accuracy),
        higher_is_better: true,
    },
    Metric {
        name: "noisy_accuracy",
        of: |m| Some(m.noisy_accuracy),
        higher_is_better: true,
    },
    Metric {
        name: "attack_error",
        of: |m| Some(m.attack_error),
        higher_is_better: false,
    },
    Metric {
        name: "certified_error",
        of: |m| Some(m.certified_error),
        higher_is_better: false,
    },
    Metric {
        name: "exact_attack_error",
        of: |m| m.exact_attack_error,
        higher_is_better: false,
    },
    Metric {
        name: "exact_certified_error",
        of: |m| m.exact_certified_error,
        higher_is_better: false,
    },
    Metric {
        name: "paper_certified_error",
        of: |m| m.paper_certified_error,
        higher_is_better: false,
    },
];
