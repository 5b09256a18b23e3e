//! The sections and keys of a classification experiment. Values that are checked later carry their place in the
//! file.

use super::Spanned;
use super::{CompareSpec, DatasetEntry, FeaturesSpec, Kind, SigmaSpec, UncertaintySpec};
use robust_svm_core::data::Scaling;
use robust_svm_solvers::Intercept;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A whole file of the kind [`Kind::Classification`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// What is measured.
    #[serde(default)]
    pub kind: Kind,
    /// Other files; put in before the keys are read.
    #[serde(default, rename = "include")]
    pub(crate) _include: Vec<String>,
    /// Keys that methods have in common; put in before the keys are read.
    #[serde(default, rename = "template")]
    pub(crate) _template: BTreeMap<String, toml::Table>,
    /// Names the results folder: letters, digits, `-` and `_`.
    pub name: Spanned<String>,
    /// Seed of every random stream of the experiment.
    pub seed: u64,
    /// How many independent splits of each dataset.
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
    pub method: Spanned<Vec<Spanned<MethodSpec>>>,
    /// Which methods are tested against which.
    #[serde(default)]
    pub compare: Vec<CompareSpec>,
}

/// Section `[data]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSpec {
    /// Names of datasets, or tables with a task.
    pub datasets: Spanned<Vec<Spanned<DatasetEntry>>>,
    /// Shares of the rows for training, validation and test.
    pub split: Spanned<SharesSpec>,
    /// The most rows of each part.
    #[serde(default)]
    pub max_rows: RowCapSpec,
    /// How features are scaled.
    #[serde(default)]
    pub scale: ScaleName,
    /// What is done with missing values, where a dataset does not say.
    #[serde(default)]
    pub missing: MissingName,
}

/// Key `split`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharesSpec {
    /// Share of the training part.
    pub train: f64,
    /// Share of the validation part.
    pub validation: f64,
    /// Share of the test part.
    pub test: f64,
}

/// Key `max_rows`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowCapSpec {
    /// For the training part.
    pub train: Option<Spanned<usize>>,
    /// For the validation part.
    pub validation: Option<Spanned<usize>>,
    /// For the test part.
    pub test: Option<Spanned<usize>>,
}

/// Key `scale`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
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
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationSpec {
    /// Noisy copies of each test point.
    #[serde(default = "default_draws")]
    pub noise_draws: Spanned<usize>,
    /// The attack's effort.
    #[serde(default)]
    pub attack: AttackSpec,
    /// The search where attack and certificate leave a verdict open; none where absent.
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
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttackSpec {
    /// Gradient steps of a start.
    pub steps: Spanned<usize>,
    /// Starts of a point.
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
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExactSpec {
    /// The most cells of a point's set that are looked at.
    pub cells: Spanned<usize>,
    /// The width of the bracket around a worst margin at which its search ends.
    pub tolerance: Spanned<f64>,
}

/// Section `[selection]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectionSpec {
    /// What the selection minimises.
    #[serde(default)]
    pub rule: SelectionRule,
    /// The grid of λ.
    pub lambda: Spanned<Vec<Spanned<f64>>>,
    /// The grid of σ; needed by methods with a kernel.
    pub sigma: Option<Spanned<SigmaSpec>>,
}

/// Key `rule`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SelectionRule {
    /// Lowest certified error on the validation rows at the cell's level.
    #[default]
    CertifiedValidationError,
}

/// A section `[[method]]`: features × bound × solver.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodSpec {
    /// The template whose keys it has; put in before the keys are read.
    #[serde(rename = "template")]
    pub(crate) _template: Option<String>,
    /// The method's name in tables and plots.
    pub name: Spanned<String>,
    /// The feature map.
    pub features: FeaturesSpec,
    /// What is guarded against in training: a feature-uncertainty bound or `total-budget`; nominal without.
    pub bound: Option<Spanned<String>>,
    /// The solver.
    pub solver: Spanned<SolverName>,
    /// The rule for the intercept; `free` where absent.
    pub intercept: Option<Spanned<InterceptName>>,
    /// Trains at this level whatever the evaluation level.
    pub train_level: Option<Spanned<f64>>,
    /// Cells with more training rows are skipped.
    pub max_train_rows: Option<Spanned<usize>>,
}

/// Key `solver`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolverName {
    /// The interior-point method.
    InteriorPoint,
    /// Dual coordinate descent, for equal radii and an intercept that is penalised or absent.
    DualCoordinate,
    /// Cutting planes, for penalties of any norm.
    Bundle,
    /// linfa-svm's sequential minimal optimisation, for exact kernels.
    LinfaSvm,
}

impl SolverName {
    /// Every solver.
    pub const ALL: [Self; 4] = [
        Self::InteriorPoint,
        Self::DualCoordinate,
        Self::Bundle,
        Self::LinfaSvm,
    ];

    /// The name in the experiment file and in the `solver` column.
    pub fn name(self) -> &'static str {
        match self {
            Self::InteriorPoint => "interior-point",
            Self::DualCoordinate => "dual-coordinate",
            Self::Bundle => "bundle",
            Self::LinfaSvm => "linfa-svm",
        }
    }
}

/// Key `intercept`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
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
