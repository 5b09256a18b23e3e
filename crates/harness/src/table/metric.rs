//! The metrics that have a table of their own.

use crate::stats::{Moments, Performance};

/// A metric, or a lower and an upper bound of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Metric {
    /// Name of its files, without the ending.
    pub(super) file: &'static str,
    /// Heading.
    pub(super) title: &'static str,
    /// What a cell of the table shows.
    pub(super) cell: &'static str,
    /// Which value is in bold.
    pub(super) best: &'static str,
    /// Whether the best value is the smallest.
    pub(super) smaller_is_better: bool,
    /// The metric's ends, as the columns of the CSV name them; one end for a metric that is known exactly.
    pub(super) ends: &'static [End],
}

/// One end of a metric.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// What follows the method's name in the CSV's header; empty for the only end.
    pub(super) suffix: &'static str,
    /// The end's moments.
    pub(super) of: fn(&Performance) -> Moments,
}

/// The tables, in the order in which a report shows them.
pub(super) const METRICS: [Metric; 3] = [
    Metric {
        file: "accuracy",
        title: "Accuracy on clean test points",
        cell: "Mean ± sample standard deviation",
        best: "highest accuracy",
        smaller_is_better: false,
        ends: &[End {
            suffix: "",
            of: |p| p.accuracy,
        }],
    },
    Metric {
        file: "noisy_accuracy",
        title: "Accuracy on test points with random noise",
        cell: "Mean ± sample standard deviation",
        best: "highest accuracy",
        smaller_is_better: false,
        ends: &[End {
            suffix: "",
            of: |p| p.noisy_accuracy,
        }],
    },
    Metric {
        file: "robust_error",
        title: "Robust error",
        cell: "The bracket *attack–certified*: mean of the error that an attack shows (lower bound) and mean of the error \
               that the certificate does not exclude (upper bound), one number where the two are displayed alike; where they \
               are the same, the robust error is known exactly and stands as mean ± sample standard deviation",
        best: "lowest certified error",
        smaller_is_better: true,
        ends: &[
            End {
                suffix: "_attack",
                of: |p| p.attack_error,
            },
            End {
                suffix: "_certified",
                of: |p| p.certified_error,
            },
        ],
    },
];
