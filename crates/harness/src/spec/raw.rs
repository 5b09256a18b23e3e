//! The sections and keys of a classification experiment. Values that are checked later carry their place in the
//! file.

use super::Spanned;
use super::constraint::{not_negative, positive, probability};
use super::{CompareSpec, DatasetEntry, FeaturesSpec, Kind, SigmaSpec, UncertaintySpec};
use robust_svm_core::data::Scaling;
use robust_svm_solvers::Intercept;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An experiment of the kind `classification`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Classification")]
pub struct Spec {
    /// What is measured.
    #[serde(default)]
    pub kind: Kind,
    /// Other files that this one builds on, by their paths from its folder.
    // Put in before keys are read, as templates are: these fields are there for the schema and for errors.
    #[serde(default, rename = "include")]
    pub(crate) _include: Vec<String>,
    /// Keys that methods have in common, a section `[template.NAME]` for each template.
    #[schemars(with = "BTreeMap<String, MethodSpec>")]
    #[serde(default, rename = "template")]
    pub(crate) _template: BTreeMap<String, toml::Table>,
    /// Names the results folder: letters, digits, `-` and `_`.
    #[schemars(regex(pattern = "^[A-Za-z0-9_-]+$"))]
    pub name: Spanned<String>,
    /// Seed of every random stream of the experiment.
    pub seed: u64,
    /// How many independent splits of each dataset.
    #[schemars(range(min = 1, max = 100_000))]
    pub repeats: Spanned<u32>,
    /// Datasets, splits and scaling.
    pub data: DataSpec,
    /// What the inputs' uncertainty looks like.
    pub uncertainty: Spanned<UncertaintySpec>,
    /// What is measured of a trained model.
    #[serde(default)]
    pub evaluation: EvaluationSpec,
    /// How hyper-parameters are chosen.
    pub selection: SelectionSpec,
    /// The methods compared.
    #[schemars(length(min = 1))]
    pub method: Spanned<Vec<Spanned<MethodSpec>>>,
    /// Which methods are tested against which.
    #[serde(default)]
    pub compare: Vec<CompareSpec>,
}

/// Section `[data]`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DataSpec {
    /// Names of datasets, or tables with a task and with what is done otherwise for this dataset.
    #[schemars(length(min = 1))]
    pub datasets: Spanned<Vec<Spanned<DatasetEntry>>>,
    /// Shares of the rows for training, validation and test, with sum 1.
    pub split: Spanned<SharesSpec>,
    /// The most rows of each part, sampled with the seed, class shares kept; no limit where absent.
    #[serde(default)]
    pub max_rows: RowCapSpec,
    /// How features are scaled, by the training rows.
    #[serde(default)]
    pub scale: ScaleName,
    /// What is done with missing values, where a dataset does not say.
    #[serde(default)]
    pub missing: MissingName,
}

/// Key `split`.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharesSpec {
    /// Share of the training part.
    #[schemars(transform = probability)]
    pub train: f64,
    /// Share of the validation part.
    #[schemars(transform = probability)]
    pub validation: f64,
    /// Share of the test part.
    #[schemars(transform = probability)]
    pub test: f64,
}

/// Key `max_rows`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowCapSpec {
    /// Of the training part.
    #[schemars(range(min = 2))]
    pub train: Option<Spanned<usize>>,
    /// Of the validation part.
    #[schemars(range(min = 2))]
    pub validation: Option<Spanned<usize>>,
    /// Of the test part.
    #[schemars(range(min = 2))]
    pub test: Option<Spanned<usize>>,
}

/// Key `scale`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScaleName {
    /// Mean 0, standard deviation 1.
    #[default]
    Standardize,
    /// Training range onto [−1, 1].
    MinMax,
    /// As they are.
    None,
}

impl From<ScaleName> for Scaling {
    fn from(name: ScaleName) -> Self {
        match name {
            ScaleName::Standardize => Self::Standardize,
            ScaleName::MinMax => Self::MinMax,
            ScaleName::None => Self::None,
        }
    }
}

/// Key `missing`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MissingName {
    /// Leave rows with missing values out.
    Drop,
    /// Put the training median in.
    Median,
    /// Refuse the dataset.
    #[default]
    Error,
}

/// Section `[evaluation]`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvaluationSpec {
    /// Noisy copies of each test point, uniform in its set.
    #[schemars(range(min = 1, max = 10_000))]
    #[serde(default = "default_draws")]
    pub noise_draws: Spanned<usize>,
    /// The effort of the projected gradient method.
    #[serde(default)]
    pub attack: AttackSpec,
    /// A branch and bound on the points that attack and certificate leave open; none where absent.
    pub exact: Option<ExactSpec>,
}

impl Default for EvaluationSpec {
    fn default() -> Self {
        Self {
            noise_draws: default_draws(),
            attack: AttackSpec::default(),
            exact: None,
        }
    }
}

fn default_draws() -> Spanned<usize> {
    Spanned::new(0..0, 20)
}

/// Key `attack`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttackSpec {
    /// Gradient steps of a start.
    #[schemars(range(min = 1, max = 100_000))]
    pub steps: Spanned<usize>,
    /// Starts of a point.
    #[schemars(range(min = 1, max = 10_000))]
    pub restarts: Spanned<usize>,
}

impl Default for AttackSpec {
    fn default() -> Self {
        Self {
            steps: Spanned::new(0..0, 40),
            restarts: Spanned::new(0..0, 5),
        }
    }
}

/// Key `exact`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExactSpec {
    /// The most cells of a point's set that are looked at.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub cells: Spanned<usize>,
    /// The width of the bracket around a worst margin at which its search ends.
    #[schemars(transform = positive)]
    pub tolerance: Spanned<f64>,
}

/// Section `[selection]`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectionSpec {
    /// What the selection minimises, for all methods.
    #[serde(default)]
    pub rule: SelectionRule,
    /// The grid of λ in `λ/2‖ζ‖² + Σ losses` (C of LIBSVM is 1/λ).
    #[schemars(transform = positive)]
    pub lambda: Spanned<Vec<Spanned<f64>>>,
    /// The grid of σ; needed by methods with a kernel, unless each dataset has its own.
    pub sigma: Option<Spanned<SigmaSpec>>,
}

/// Key `rule`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SelectionRule {
    /// Lowest certified error on the validation rows at the cell's level.
    #[default]
    CertifiedValidationError,
}

/// A section `[[method]]`: features × bound × solver.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MethodSpec {
    /// The template whose keys it has; its own win.
    #[serde(rename = "template")]
    pub(crate) _template: Option<String>,
    /// The method's name in tables and plots; `robust-X` is drawn in the hue of `X`. It may have the
    /// placeholders of lists: `rff-{dim}`.
    #[schemars(length(min = 1))]
    pub name: Spanned<String>,
    /// The feature map.
    pub features: FeaturesSpec,
    /// What is guarded against in training; nominal where absent. `exact` for identity; for rff `geodesic`, `arcs`,
    /// `best` (the smaller of the two), `paper` (Couellan & Jan, Prop. 4.1); for nystrom `projection` (= `best`),
    /// `landmark`, `paper` (Prop. 4.2), `paper-without-rank`. In the norms 1 and ∞ of rff features, with `bundle`:
    /// `paper-1`, `paper-inf`, `arcs-1`, `arcs-inf`. For rff and nystrom `local`; for every map but exact-kernel
    /// `total-budget`.
    pub bound: Option<Spanned<String>>,
    /// What the training inputs are. With `normal` there is no `bound`; for rff, and for exact-kernel with the solver `smo` and
    /// sets that are balls.
    #[schemars(extend("default" = "points"))]
    pub inputs: Option<Spanned<InputsName>>,
    /// The solver.
    pub solver: Spanned<SolverName>,
    /// The rule for the intercept; `linfa-svm` and `smo` have `free` only, `dual-coordinate` all but `free`.
    #[schemars(extend("default" = "free"))]
    pub intercept: Option<Spanned<InterceptName>>,
    /// Trains at this level whatever the evaluation level; at the evaluation level where absent.
    #[schemars(transform = not_negative)]
    pub train_level: Option<Spanned<f64>>,
    /// Cells with more training rows are skipped; none where absent.
    pub max_train_rows: Option<Spanned<usize>>,
}

/// Key `inputs`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InputsName {
    /// The training points.
    #[default]
    Points,
    /// Normal distributions around the training points, of the covariance of the uniform distribution in their uncertainty
    /// sets: a support measure machine (Muandet et al., NIPS 2012).
    Normal,
}

/// Key `solver`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SolverName {
    /// Interior-point method; for `local`, norm 2 and one shape.
    InteriorPoint,
    /// Coordinate descent for many samples or features, of equal radii and an intercept that is penalised or absent.
    DualCoordinate,
    /// Cutting planes, for any norm of features and, with `exact`, any norm and shapes of the sets, to a gap of 1e−4.
    Bundle,
    /// linfa-svm's sequential minimal optimisation, for exact kernels.
    LinfaSvm,
    /// Sequential minimal optimisation on the kernel matrix, for exact kernels, to a certified gap of 1e−6.
    Smo,
}

impl SolverName {
    /// Every solver.
    pub const ALL: [Self; 5] = [
        Self::InteriorPoint,
        Self::DualCoordinate,
        Self::Bundle,
        Self::LinfaSvm,
        Self::Smo,
    ];

    /// The name in the experiment file and in the `solver` column.
    pub fn name(self) -> &'static str {
        match self {
            Self::InteriorPoint => "interior-point",
            Self::DualCoordinate => "dual-coordinate",
            Self::Bundle => "bundle",
            Self::LinfaSvm => "linfa-svm",
            Self::Smo => "smo",
        }
    }
}

/// Key `intercept`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InterceptName {
    /// b is free.
    #[default]
    Free,
    /// `λ/2 b²` is added to the objective.
    Penalised,
    /// b = 0.
    None,
}

impl InterceptName {
    /// The name in the experiment file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Penalised => "penalised",
            Self::None => "none",
        }
    }
}

impl From<InterceptName> for Intercept {
    fn from(name: InterceptName) -> Self {
        match name {
            InterceptName::Free => Self::Free,
            InterceptName::Penalised => Self::Penalised,
            InterceptName::None => Self::None,
        }
    }
}
