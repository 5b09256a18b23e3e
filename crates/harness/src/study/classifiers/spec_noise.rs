//! Section `[noise]`: what is done to test rows.

use crate::spec::Spanned;
use crate::spec::constraint::positive;
use schemars::JsonSchema;
use serde::Deserialize;

/// Section `[noise]` of classifiers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ClassifiersNoise")]
pub(super) struct NoiseSpec {
    /// The kinds; `none` is always measured.
    #[schemars(length(min = 1))]
    pub(super) kinds: Spanned<Vec<Spanned<NoiseKind>>>,
    /// The levels γ > 0 in units of the scaled features: the radius of the ball of `uniform` and `worst-case`.
    #[schemars(transform = positive)]
    pub(super) levels: Spanned<Vec<Spanned<f64>>>,
    /// Noisy copies of each test row.
    #[schemars(range(min = 1, max = 10_000))]
    #[serde(default = "default_draws")]
    pub(super) draws: Spanned<usize>,
    /// Random directions that the worst-case search tries at each test row, besides what it finds otherwise.
    #[schemars(range(min = 1, max = 10_000))]
    #[serde(default = "default_draws")]
    pub(super) directions: Spanned<usize>,
}

fn default_draws() -> Spanned<usize> {
    Spanned::new(0..0, 10)
}

/// A kind of noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoiseKind {
    /// Test rows as they are.
    None,
    /// Uniform in the ball of radius γ: its expected squared length is `γ² n/(n+2)` for n features.
    Uniform,
    /// Normal, of the same expected squared length: variance `γ²/(n+2)` in each feature.
    Gaussian,
    /// The worst perturbation found in the ball of radius γ.
    WorstCase,
    /// Each feature becomes 0 with probability `min(1, γ²/(n+2))`: of standardised features the same expected squared length.
    Dropout,
}

impl NoiseKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Uniform,
        Self::Gaussian,
        Self::WorstCase,
        Self::Dropout,
    ];

    /// The name in the experiment file and in the column `noise`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Uniform => "uniform",
            Self::Gaussian => "gaussian",
            Self::WorstCase => "worst-case",
            Self::Dropout => "dropout",
        }
    }
}
