//! Key `kind`: what an experiment measures. It says which keys the rest of the file has.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of an experiment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
