//! Published accuracies, to compare with.

use serde::Deserialize;
use std::collections::BTreeMap;

const TEXT: &str = include_str!("published.toml");

/// A published table.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// Where it stands, in words.
    pub source: &'static str,
    /// Its figures.
    pub figures: Vec<PublishedFigure>,
}

/// The figures of a method.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedFigure {
    /// The method's name, which is its name in experiments.
    pub method: String,
    /// Accuracies in percent by the names of datasets.
    pub accuracy: BTreeMap<String, f64>,
    /// Standard deviations in percentage points, where they are published.
    #[serde(default)]
    pub deviation: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Tables {
    #[serde(rename = "table-1")]
    table_1: Vec<PublishedFigure>,
    #[serde(rename = "table-2")]
    table_2: Vec<PublishedFigure>,
}

impl Published {
    /// Table I of Laakom et al.
    pub fn table_1() -> Self {
        Self {
            source: "Laakom et al. (NGEU), Table I",
            figures: tables().table_1,
        }
    }

    /// Table II of Laakom et al.
    pub fn table_2() -> Self {
        Self {
            source: "Laakom et al. (NGEU), Table II",
            figures: tables().table_2,
        }
    }

    /// The accuracy of `method` on `dataset` in percent, and its standard deviation where that is published.
    pub fn of(&self, dataset: &str, method: &str) -> Option<(f64, Option<f64>)> {
        let figure = self.figures.iter().find(|figure| figure.method == method)?;
        let accuracy = *figure.accuracy.get(dataset)?;
        Some((accuracy, figure.deviation.get(dataset).copied()))
    }
}

fn tables() -> Tables {
    toml::from_str(TEXT).expect("the published tables are read by a test")
}

#[cfg(test)]
mod tests {
    use super::Published;

    #[test]
    fn the_tables_are_whole() {
        let one = Published::table_1();
        assert_eq!(one.figures.len(), 15);
        let all = |figure: &super::PublishedFigure| figure.accuracy.len() == 3;
        assert!(one.figures.iter().all(all));
        assert_eq!(one.of("COIL20", "KDA-NGEU"), Some((98.75, None)));
        assert_eq!(one.of("COIL20", "no method"), None);
        let two = Published::table_2();
        assert_eq!(two.figures.len(), 18);
        assert_eq!(two.of("AWGN-MNIST", "k-nn"), Some((84.15, Some(1.34))));
    }
}
