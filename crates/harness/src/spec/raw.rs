//! The sections and keys of a classification experiment. Values that are checked later carry their place in the
//! file.

use super::{DatasetEntry, Kind, SigmaSpec};
use robust_svm_core::data::Scaling;
use serde::Deserialize;
use toml::Spanned;

/// A whole file of the kind [`Kind::Classification`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// What is measured.
    #[serde(default)]
    pub kind: Kind,
    /// Names the results folder: letters, digits, `-` and `_`.
    pub name: Spanned<String>,
    /// Seed of every random stream of the experiment.
    pub seed: u64,
    /// How many independent splits of each dataset.
    pub repeats: Spanned<u32>,
    /// Datasets, splits and scaling.
    pub data: DataSpec,
    /// What the inputs' uncertainty looks like.
    pub uncertainty: UncertaintySpec,
    /// What is measured of a trained model.
    #[serde(default)]
    pub evaluation: EvaluationSpec,
    /// How hyper-parameters are chosen.
    pub selection: SelectionSpec,
    /// The methods compared.
    pub method: Spanned<Vec<Spanned<MethodSpec>>>,
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

/// Section `[uncertainty]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UncertaintySpec {
    /// The norm p of the sets.
    #[serde(default = "default_norm")]
    pub norm: Spanned<u32>,
    /// The shape Σ of the sets.
    #[serde(default)]
    pub shape: Shape,
    /// Σ^{1/2}'s diagonal for `shape = "diagonal"`, one entry a feature of the data.
    pub scales: Option<Spanned<Vec<f64>>>,
    /// How γ_i varies between training points.
    #[serde(default)]
    pub per_sample: PerSample,
    /// The levels γ.
    pub levels: Spanned<Vec<Spanned<f64>>>,
}

fn default_norm() -> Spanned<u32> {
    Spanned::new(0..0, 2)
}

/// Key `shape`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Σ = I.
    #[default]
    Sphere,
    /// Σ^{1/2} = diag(`scales`).
    Diagonal,
}

/// Key `per_sample`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PerSample {
    /// γ_i = level for every training point.
    #[default]
    Uniform,
    /// γ_i = level · g_i, g_i ∝ distance to the nearest training point, mean 1.
    NearestNeighbour,
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
}

impl Default for EvaluationSpec {
    fn default() -> Self {
        Self {
            noise_draws: default_draws(),
            attack: AttackSpec::default(),
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
    pub sigma: Option<SigmaSpec>,
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
    /// The method's name in tables and plots.
    pub name: Spanned<String>,
    /// The feature map.
    pub features: FeaturesSpec,
    /// The feature-uncertainty bound trained with; nominal without.
    pub bound: Option<Spanned<String>>,
    /// The solver.
    pub solver: Spanned<SolverName>,
    /// Trains at this level whatever the evaluation level.
    pub train_level: Option<Spanned<f64>>,
    /// Cells with more training rows are skipped.
    pub max_train_rows: Option<Spanned<usize>>,
}

/// Key `features`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeaturesSpec {
    /// Which map.
    pub map: Spanned<MapName>,
    /// Random features: D, even; a list is part of the selection grid.
    pub dim: Option<Spanned<OneOrMany>>,
    /// Random features: how the frequencies are drawn; `gaussian` where absent.
    pub frequencies: Option<Spanned<FrequenciesName>>,
    /// Nyström: number of landmarks m; a list is part of the selection grid.
    pub landmarks: Option<Spanned<OneOrMany>>,
    /// Nyström: how the landmarks are chosen; `uniform` where absent.
    pub choose: Option<Spanned<ChooseName>>,
}

/// Key `frequencies`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrequenciesName {
    /// Independent draws.
    #[default]
    Gaussian,
    /// Orthogonal in blocks [Yu et al., NeurIPS 2016].
    Orthogonal,
}

/// Key `choose`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChooseName {
    /// Training rows, each as likely.
    #[default]
    Uniform,
    /// The centres of k-means.
    KMeans,
    /// Training rows by their ridge leverage scores.
    Leverage,
}

/// Key `map`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MapName {
    /// φ(x) = x: linear models.
    Identity,
    /// Paired random Fourier features.
    Rff,
    /// Nyström features.
    Nystrom,
    /// No explicit features: the exact Gaussian kernel.
    ExactKernel,
}

/// Key `solver`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolverName {
    /// The interior-point method.
    InteriorPoint,
    /// linfa-svm's sequential minimal optimisation, for exact kernels.
    LinfaSvm,
}

impl SolverName {
    /// The name in the experiment file and in the `solver` column.
    pub fn name(self) -> &'static str {
        match self {
            Self::InteriorPoint => "interior-point",
            Self::LinfaSvm => "linfa-svm",
        }
    }
}

/// A number or a list of numbers.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a whole number or a list of whole numbers"
)]
pub enum OneOrMany {
    /// A number.
    One(usize),
    /// A list.
    Many(Vec<usize>),
}

impl OneOrMany {
    /// The numbers.
    pub fn as_slice(&self) -> &[usize] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Many(values) => values,
        }
    }
}
