//! The keys of a `scaling` experiment.

use super::size::{AxisName, Sizes};
use super::solver::TrainerName;
use crate::spec::constraint::{positive, probability};
use crate::spec::{Example, Kind, MapName, Spanned};
use crate::study::axis_spec::AxisSpec;
use schemars::JsonSchema;
use serde::Deserialize;

/// An experiment of the kind `scaling`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Scaling")]
pub(crate) struct Spec {
    /// What is measured.
    #[serde(default, rename = "kind")]
    _kind: Kind,
    /// Names the results folder: letters, digits, `-` and `_`.
    #[schemars(regex(pattern = "^[A-Za-z0-9_-]+$"))]
    pub(super) name: Spanned<String>,
    /// Seed of every random stream.
    pub(super) seed: u64,
    /// Independent draws of rows and maps; each is timed once.
    #[schemars(range(min = 1, max = 100_000))]
    pub(super) repeats: Spanned<u32>,
    /// λ/L, so that problems of all sizes are regularised alike.
    #[schemars(transform = positive)]
    pub(super) mean_lambda: Spanned<f64>,
    /// γ > 0: the radius of the balls that robust methods guard against; the inputs have standard deviation 1.
    #[schemars(transform = positive)]
    pub(super) gamma: Spanned<f64>,
    /// The certified relative gap to which solvers work that stop by one.
    #[schemars(transform = probability)]
    pub(super) tolerance: Spanned<f64>,
    /// The epochs that `stochastic` and `stream` make; a certificate follows the last.
    #[schemars(range(min = 1, max = 65_535))]
    pub(super) epochs: Spanned<u32>,
    /// The sizes: of each axis its base and the values it takes while the others stand at theirs, at least three, ascending.
    pub(super) sizes: SizesSpec,
    /// The methods.
    #[schemars(length(min = 1))]
    pub(super) method: Spanned<Vec<Spanned<MethodSpec>>>,
}

/// Section `[sizes]`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ScalingSizes")]
pub(super) struct SizesSpec {
    /// Training rows L, at least 16.
    pub(super) rows: AxisSpec<usize>,
    /// Inputs n.
    pub(super) inputs: AxisSpec<usize>,
    /// D, even: random Fourier features.
    pub(super) dim: AxisSpec<usize>,
    /// m, at most the rows: landmarks of Nyström features.
    pub(super) landmarks: AxisSpec<usize>,
}

impl SizesSpec {
    pub(super) fn of(&self, axis: AxisName) -> &AxisSpec<usize> {
        match axis {
            AxisName::Rows => &self.rows,
            AxisName::Inputs => &self.inputs,
            AxisName::Dim => &self.dim,
            AxisName::Landmarks => &self.landmarks,
        }
    }
}

/// A section `[[method]]`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ScalingMethod")]
pub(super) struct MethodSpec {
    /// Its name in results.
    pub(super) name: Spanned<String>,
    /// What trains.
    pub(super) solver: Spanned<TrainerName>,
    /// The feature map.
    pub(super) map: Spanned<MapName>,
    /// Whether it guards against the balls: by the bound `exact` on identity, `geodesic` on rff, `projection` on nystrom; `local` and
    /// `safe` always do, each in its own way.
    pub(super) robust: Option<Spanned<bool>>,
    /// Its largest sizes: larger values of an axis are left out; no limit where absent.
    #[serde(default)]
    pub(super) most: SomeSizes,
    /// Its own base, for axes whose base is not that of `[sizes]`.
    #[serde(default)]
    pub(super) base: SomeSizes,
}

/// A size for some axes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SomeSizes {
    /// L.
    pub(super) rows: Option<Spanned<usize>>,
    /// n.
    pub(super) inputs: Option<Spanned<usize>>,
    /// D.
    pub(super) dim: Option<Spanned<usize>>,
    /// m.
    pub(super) landmarks: Option<Spanned<usize>>,
}

impl SomeSizes {
    pub(super) fn sizes(&self) -> Sizes<Option<&Spanned<usize>>> {
        Sizes {
            rows: self.rows.as_ref(),
            inputs: self.inputs.as_ref(),
            dim: self.dim.as_ref(),
            landmarks: self.landmarks.as_ref(),
        }
    }
}

/// What keys that are missing may look like.
pub(super) const EXAMPLES: &[Example] = &[
    ("name", "name = \"scaling\""),
    ("mean_lambda", "mean_lambda = 1e-4"),
    ("gamma", "gamma = 0.1"),
    ("tolerance", "tolerance = 1e-3"),
    ("epochs", "epochs = 4"),
    (
        "sizes",
        "a section [sizes] with rows, inputs, dim and landmarks",
    ),
    (
        "rows",
        "rows = { base = 4000, vary = [1000, 10000, 100000] }",
    ),
    ("inputs", "inputs = { base = 20, vary = [10, 40, 160] }"),
    ("dim", "dim = { base = 256, vary = [128, 256, 512] }"),
    (
        "landmarks",
        "landmarks = { base = 256, vary = [128, 256, 512] }",
    ),
    ("base", "{ base = 1, vary = [2, 5] }"),
    (
        "method",
        "a section [[method]] with name, solver = \"stream\" and map = \"rff\"",
    ),
    ("solver", "solver = \"interior-point\""),
    ("map", "map = \"rff\""),
];
