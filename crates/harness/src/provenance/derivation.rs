//! How a number of a table or figure follows from its cells.

use crate::stats::{Moments, median};
use serde::Serialize;

/// A number that follows from a column of `cells.parquet`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rule {
    /// How.
    pub(crate) statistic: Statistic,
    /// Of which column.
    pub(crate) column: &'static str,
}

/// How a number follows from several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Statistic {
    /// Their mean.
    Mean,
    /// Their sample standard deviation.
    StandardDeviation,
    /// Their median.
    Median,
    /// The largest.
    Largest,
    /// The one there is.
    Value,
}

impl Statistic {
    /// The statistic of `values`, as tables have it; `None` where there are too few.
    pub(crate) fn of(self, values: &[f64]) -> Option<f64> {
        match self {
            Self::Mean => Moments::of(values).map(|m| m.mean),
            Self::StandardDeviation => Moments::of(values).and_then(|m| m.sd),
            Self::Median => median(values),
            Self::Largest => values.iter().copied().max_by(f64::total_cmp),
            Self::Value => values.first().copied().filter(|_| values.len() == 1),
        }
    }

    /// In words, before `of`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::StandardDeviation => "sample standard deviation",
            Self::Median => "median",
            Self::Largest => "largest",
            Self::Value => "value",
        }
    }
}

/// The rules of the numbers, in their order, of an entry in the column `key` of the table `table`, or of a point of the
/// figure with that name, whose key is empty; none where they are not single statistics of columns. `differ` says whether the means of
/// two columns are not the same: a bracket whose ends meet is shown as one number.
pub(crate) fn rules(
    table: &str,
    key: &str,
    differ: impl Fn(&'static str, &'static str) -> bool,
) -> Vec<Rule> {
    use Statistic::{Largest, Mean, Median, StandardDeviation, Value};
    let rule = |statistic, column| Rule { statistic, column };
    let moments = |column| vec![rule(Mean, column), rule(StandardDeviation, column)];
    match (table, key) {
        ("accuracy", _) => moments("accuracy"),
        ("noisy_accuracy", _) => moments("noisy_accuracy"),
        ("robust_error", _) if differ("attack_error", "certified_error") => {
            vec![rule(Mean, "attack_error"), rule(Mean, "certified_error")]
        }
        ("robust_error", _) => moments("certified_error"),
        ("certificates", "") => [
            "attack_error",
            "exact_attack_error",
            "exact_certified_error",
            "certified_error",
            "paper_certified_error",
        ]
        .map(|column| rule(Mean, column))
        .to_vec(),
        ("certificates", "attack_error") => vec![rule(Mean, "attack_error")],
        ("certificates", "certified_error") => vec![rule(Mean, "certified_error")],
        ("certificates", "exact_attack_error") => vec![rule(Mean, "exact_attack_error")],
        ("certificates", "exact_certified_error") => vec![rule(Mean, "exact_certified_error")],
        ("certificates", "paper_certified_error") => vec![rule(Mean, "paper_certified_error")],
        ("selection" | "path_equivalence", "lambda_median") => vec![rule(Median, "lambda")],
        ("selection", "sigma_median") => vec![rule(Median, "sigma")],
        ("selection", "relative_gap_max") => vec![rule(Largest, "relative_gap")],
        ("path_equivalence", "nominal_lambda_median") => vec![rule(Median, "nominal_lambda")],
        ("path_equivalence", "nominal_gap_max") => vec![rule(Largest, "nominal_gap")],
        ("tightness", _) => vec![rule(Median, "ratio_median")],
        ("bandwidth", "printed_separate" | "corrected_separate") => {
            ["separate", "separate_low", "separate_high"]
                .map(|column| rule(Value, column))
                .to_vec()
        }
        ("bandwidth", "printed_joint" | "corrected_joint") => ["joint", "joint_low", "joint_high"]
            .map(|column| rule(Value, column))
            .to_vec(),
        ("safe", key) => {
            let of_method = |column: &&&str| {
                let rest = key.strip_prefix(**column);
                let method = rest.and_then(|rest| rest.strip_prefix('_'));
                method.is_some_and(|method| ["safe", "robust", "nominal"].contains(&method))
            };
            let column = SAFE.iter().find(of_method);
            column
                .map(|column| rule(Mean, column))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The columns whose means over the repeats of a method are entries of the table `safe`.
const SAFE: [&str; 7] = [
    "clean_error",
    "noisy_error",
    "robust_error",
    "log_volume",
    "s_noisy",
    "s_clean",
    "validation_loss",
];

/// A number of a table or figure, computed again from the cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Derivation {
    /// How.
    pub(crate) statistic: Statistic,
    /// Of which column.
    pub(crate) column: &'static str,
    /// Of which values, in the order of the cells; with several datasets, of their means in each repeat.
    pub(crate) values: Vec<f64>,
    /// Whether the values are means over datasets.
    pub(crate) over_datasets: bool,
    /// What comes of it.
    pub(crate) number: Option<f64>,
    /// What the table has, where it has the number; figures have none.
    pub(crate) shown: Option<f64>,
}

impl Derivation {
    /// Whether what the table has is what comes of the cells; `None` where it has no such number.
    pub(crate) fn agrees(&self) -> Option<bool> {
        let shown = self.shown?;
        Some(self.number.map(f64::to_bits) == Some(shown.to_bits()))
    }
}

#[cfg(test)]
mod tests {
    use super::Statistic;

    #[test]
    fn statistics_are_those_of_their_names() {
        let values = [4.0, 1.0, 2.0, 9.0];
        assert_eq!(Statistic::Mean.of(&values), Some(4.0));
        assert_eq!(Statistic::Median.of(&values), Some(3.0));
        assert_eq!(Statistic::Largest.of(&values), Some(9.0));
        // Squares 0, 9, 4, 25 over 3.
        let sd = Statistic::StandardDeviation.of(&values).unwrap();
        assert!((sd - (38.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        assert_eq!(Statistic::StandardDeviation.of(&[1.0]), None);
        assert_eq!(Statistic::Mean.of(&[]), None);
        assert_eq!(Statistic::Value.of(&[3.0]), Some(3.0));
        assert_eq!(Statistic::Value.of(&values), None);
    }
}
