//! Key `kind`: what an experiment measures. It says which keys the rest of the file has.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of an experiment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// How well methods classify at each level.
    #[default]
    Classification,
    /// How much larger feature-uncertainty bounds are than the movements that an attack finds.
    BoundTightness,
    /// How well the bandwidth rule keeps its promises.
    BandwidthRule,
    /// Whether the safe SVM learns the ellipsoid of the noise, and what that is worth.
    SafeEllipsoid,
    /// How classifiers of every family do on tasks of any number of classes, under several kinds of noise.
    Classifiers,
    /// What training costs in time and memory as problems grow.
    Scaling,
}

impl Kind {
    /// The kinds that are studies.
    pub const STUDIES: [Self; 5] = [
        Self::BoundTightness,
        Self::BandwidthRule,
        Self::SafeEllipsoid,
        Self::Classifiers,
        Self::Scaling,
    ];

    /// The keys at the top of a file that no other kind has.
    pub(crate) fn telling_keys(self) -> &'static [&'static str] {
        match self {
            Self::Classification => &[
                "compare",
                "evaluation",
                "selection",
                "template",
                "uncertainty",
            ],
            Self::BoundTightness => &["attack", "axes", "map", "points"],
            Self::BandwidthRule => &[
                "dim",
                "draws",
                "failure",
                "frequencies",
                "n",
                "shape",
                "theta_max",
            ],
            Self::SafeEllipsoid => &["lambda", "levels", "max_solves", "scales"],
            Self::Classifiers => &["published"],
            Self::Scaling => &["epochs", "mean_lambda", "sizes", "tolerance"],
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
