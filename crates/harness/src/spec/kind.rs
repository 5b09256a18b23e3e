//! Key `kind`: what an experiment measures. It says which keys the rest of the file has.

use serde::Deserialize;

/// The kind of an experiment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// How well methods classify at each level.
    #[default]
    Classification,
}
