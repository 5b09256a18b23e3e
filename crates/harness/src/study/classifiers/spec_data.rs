//! Section `[data]`: datasets of any number of classes, and how their rows are parted.

use crate::spec::constraint::{or_name, positive, probability};
use crate::spec::{RowCapSpec, ScaleName, SharesSpec, Spanned};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

/// Section `[data]` of classifiers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ClassifiersData")]
pub(super) struct DataSpec {
    /// Names of datasets, or tables with what is done otherwise for this dataset.
    #[schemars(length(min = 1))]
    pub(super) datasets: Spanned<Vec<Spanned<Entry>>>,
    /// Shares of the rows for training, validation and test, with sum 1, for datasets without parts of their own.
    pub(super) split: Option<Spanned<SharesSpec>>,
    /// The most rows of each part of such a split, sampled with the seed, class shares kept; no limit where absent.
    #[serde(default)]
    pub(super) max_rows: RowCapSpec,
    /// How features are scaled, by the training rows; `none` leaves every column as it is.
    #[serde(default)]
    pub(super) scale: ScaleName,
}

/// A dataset of any number of classes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(transform = or_name, rename = "ClassifiersDataset")]
pub(super) struct Entry {
    /// The name of its manifest.
    pub(super) name: String,
    /// The name in results; the manifest's where absent.
    pub(super) label: Option<String>,
    /// Where the data file is not at hand, its cells are skipped with the reason; an error where absent.
    #[serde(default)]
    pub(super) optional: bool,
    /// With `negative` a task of two classes: these are class 1, by name or number. All classes where both are absent.
    pub(super) positive: Option<Vec<String>>,
    /// The classes of class 0 of such a task; all others where absent.
    pub(super) negative: Option<Vec<String>>,
    /// Leaves out rows with a missing value, which are an error where absent.
    #[serde(default)]
    pub(super) drop_missing: bool,
    /// Shares of its rows; `[data]`'s where absent.
    pub(super) split: Option<Spanned<SharesSpec>>,
    /// The most rows of its parts; for parts that are absent, `[data]`'s.
    #[serde(default)]
    pub(super) max_rows: RowCapSpec,
    /// Parts by the rows of the data file, from 0, the end left out.
    pub(super) rows: Option<Spanned<RowsSpec>>,
    /// Parts by each class's rows in the data file: its first for training, the next for validation, the next for test.
    pub(super) per_class: Option<Spanned<PerClassSpec>>,
    /// Stratified cross-validation.
    pub(super) folds: Option<Spanned<FoldsSpec>>,
    /// How its features are scaled; `[data]`'s rule where absent.
    pub(super) scale: Option<ScaleName>,
    /// Every feature is divided by it first, as 255 for pixels.
    #[schemars(transform = positive)]
    pub(super) divide_by: Option<Spanned<f64>>,
    /// White Gaussian noise that is added to every row, after the division and before the split.
    pub(super) awgn: Option<Spanned<AwgnSpec>>,
}

/// Key `rows`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RowsSpec {
    /// Training rows, `"first..end"`.
    pub(super) train: String,
    /// Validation rows.
    pub(super) validation: String,
    /// Test rows.
    pub(super) test: String,
}

/// Key `per_class`.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PerClassSpec {
    /// Training rows of each class.
    #[schemars(range(min = 1))]
    pub(super) train: usize,
    /// Validation rows of each class.
    #[schemars(range(min = 1))]
    pub(super) validation: usize,
    /// Test rows of each class.
    #[schemars(range(min = 1))]
    pub(super) test: usize,
}

/// Key `folds`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FoldsSpec {
    /// How many.
    #[schemars(range(min = 2, max = 100))]
    pub(super) count: Spanned<u32>,
    /// The most rows that are dealt to them, sampled with the seed, class shares kept; all where absent.
    pub(super) rows: Option<usize>,
    /// The share of the rows outside of the tested fold that hyper-parameters are chosen on.
    #[schemars(transform = probability)]
    pub(super) validation: Spanned<f64>,
}

/// Key `awgn`.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AwgnSpec {
    /// Signal-to-noise ratio in decibels: the noise's variance is `signal_power · 10^{−snr_db/10}`.
    pub(super) snr_db: f64,
    /// The power of the signal, in the square of the features' unit.
    #[serde(default = "one")]
    #[schemars(transform = positive)]
    pub(super) signal_power: f64,
}

fn one() -> f64 {
    1.0
}

impl Entry {
    /// The name in results.
    pub(super) fn label(&self) -> &str {
        self.label.as_ref().unwrap_or(&self.name)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrTable;

        impl<'de> Visitor<'de> for NameOrTable {
            type Value = Entry;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a dataset's name or a table { name = \"…\" }")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Entry, E> {
                Ok(Entry {
                    name: name.to_owned(),
                    ..Entry::default()
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entry, A::Error> {
                // The derived reader of the table, not this one.
                Entry::deserialize(MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_any(NameOrTable)
    }
}
