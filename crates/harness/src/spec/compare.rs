//! Sections `[[compare]]`: which methods are tested against which.

use super::Spanned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A section `[[compare]]`: whether a method is better than others, over datasets.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareSpec {
    /// The name of the method said to be better.
    pub method: Spanned<String>,
    /// The names of the methods it is compared with.
    #[schemars(length(min = 1))]
    pub with: Spanned<Vec<Spanned<String>>>,
    /// The error that it has less of.
    #[serde(default)]
    pub metric: CompareMetric,
}

/// Key `metric`: an error, so less is better.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CompareMetric {
    /// The upper bound of the robust error.
    #[default]
    CertifiedError,
    /// The lower bound of the robust error.
    AttackError,
    /// The error on clean test points.
    CleanError,
    /// The error on test points with random noise.
    NoisyError,
}

impl CompareMetric {
    /// The name in the experiment file.
    pub fn name(self) -> &'static str {
        match self {
            Self::CertifiedError => "certified-error",
            Self::AttackError => "attack-error",
            Self::CleanError => "clean-error",
            Self::NoisyError => "noisy-error",
        }
    }
}
