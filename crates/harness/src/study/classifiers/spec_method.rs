//! Sections `[[method]]`.

use crate::spec::Spanned;
use crate::spec::constraint::positive;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A method: a classifier, of inputs or of what an embedding or projection makes of them. A list of values is a grid: what is
/// best on the validation rows is chosen, of equals the first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ClassifiersMethod")]
pub(super) struct MethodSpec {
    /// The method's name in tables and plots.
    #[schemars(length(min = 1))]
    pub(super) name: Spanned<String>,
    /// The classifier.
    pub(super) classifier: Spanned<ClassifierName>,
    /// For `k-nn`: neighbours that vote.
    #[schemars(range(min = 1, max = 1_000_000), extend("default" = 5))]
    pub(super) k: Option<Spanned<usize>>,
    /// For `k-nn`: a graph embedding before it.
    pub(super) embedding: Option<Spanned<EmbeddingSpec>>,
    /// For `k-nn`: another projection before it.
    pub(super) projection: Option<Spanned<ProjectionName>>,
    /// Kernels, for embeddings of the forms `ge` and `ngeu`, `svm`, `kernel-ridge`, `rff`, `nystrom`, `smm` and `smm-rff`.
    pub(super) kernel: Option<Spanned<Vec<KernelSpec>>>,
    /// Dimensions of an embedding or projection.
    pub(super) dims: Option<Spanned<Vec<Spanned<usize>>>>,
    /// The same on some datasets, by their names in results.
    #[serde(default)]
    pub(super) dims_on: BTreeMap<String, Spanned<Vec<Spanned<usize>>>>,
    /// Variances of the inputs, for embeddings of the forms `geu` and `ngeu`.
    pub(super) uncertainty: Option<Spanned<UncertaintySpec>>,
    /// Weights of the regulariser, for `svm`, `kernel-ridge`, `linear`, `rff`, `nystrom`, `smm` and `smm-rff`.
    #[schemars(transform = positive)]
    pub(super) lambda: Option<Spanned<Vec<Spanned<f64>>>>,
    /// For `svm`: how binary SVMs tell many classes apart.
    #[schemars(extend("default" = "one-vs-one"))]
    pub(super) scheme: Option<Spanned<SchemeName>>,
    /// For `tree`: the most levels.
    pub(super) depth: Option<Spanned<Vec<Spanned<usize>>>>,
    /// For `linear`, `rff` and `nystrom`: trained against the worst case in the ball of the cell's level; nominal where absent.
    pub(super) robust: Option<Spanned<bool>>,
    /// For `rff`, `smm-rff` and `nystrom`: D frequencies' features or landmarks.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub(super) features: Option<Spanned<usize>>,
}

/// Key `classifier`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ClassifierName {
    /// Nearest neighbours.
    KNn,
    /// A decision tree.
    Tree,
    /// Kernel support vector machines.
    Svm,
    /// Kernel ridge regression on the classes' indicators.
    KernelRidge,
    /// A linear support vector machine, of two classes.
    Linear,
    /// A support vector machine in random Fourier features, of two classes.
    Rff,
    /// A support vector machine in Nyström features, of two classes.
    Nystrom,
    /// The support measure machine, of two classes, for normal inputs of variance `γ²/(n+2)` in each feature at level γ.
    Smm,
    /// The same in random Fourier features.
    SmmRff,
}

impl ClassifierName {
    /// The name in the experiment file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::KNn => "k-nn",
            Self::Tree => "tree",
            Self::Svm => "svm",
            Self::KernelRidge => "kernel-ridge",
            Self::Linear => "linear",
            Self::Rff => "rff",
            Self::Nystrom => "nystrom",
            Self::Smm => "smm",
            Self::SmmRff => "smm-rff",
        }
    }
}

/// Key `embedding`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EmbeddingSpec {
    /// The graph.
    pub(super) graph: GraphName,
    /// What is embedded.
    pub(super) form: FormName,
    /// For `mfa`: nearest neighbours within the class, 5 where it is not given.
    #[schemars(range(min = 1))]
    pub(super) within: Option<Spanned<usize>>,
    /// For `mfa`: nearest pairs between a class and the others, 20 where it is not given.
    #[schemars(range(min = 1))]
    pub(super) between: Option<Spanned<usize>>,
    /// For `lda` and `mfa`: how long directions are.
    pub(super) unit: Option<Spanned<UnitName>>,
    /// For `lda` and `mfa`: ε of the ridge `ε · tr(K)/N · tr(L)/N`, 0.001 where it is not given.
    #[schemars(transform = positive)]
    pub(super) ridge: Option<Spanned<f64>>,
}

/// Key `unit`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum UnitName {
    /// What is kept apart has extent 1 along each.
    #[default]
    Apart,
    /// What is kept together has, so that k-NN sees the first directions spread furthest.
    Together,
}

/// Key `graph`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum GraphName {
    /// Principal components.
    Pca,
    /// Linear discriminants.
    Lda,
    /// Marginal Fisher analysis.
    Mfa,
}

impl GraphName {
    /// The name in the experiment file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Pca => "pca",
            Self::Lda => "lda",
            Self::Mfa => "mfa",
        }
    }
}

/// Key `form`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FormName {
    /// Points, by their kernel.
    Ge,
    /// Normal inputs, linearly.
    Geu,
    /// Normal inputs, by the kernel of their mean embeddings.
    Ngeu,
}

/// Key `projection`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ProjectionName {
    /// Robust sparse linear discriminant analysis.
    Rslda,
    /// Principal components that trim the worst reconstructed rows.
    Trpca,
    /// Fast subclass discriminant analysis.
    Fastsda,
}

/// Key `kernel`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum KernelSpec {
    /// `⟨x, z⟩`.
    Linear,
    /// `(⟨x, z⟩ + 1)²`.
    Quadratic,
    /// Gaussian, for each σ.
    Gaussian(#[schemars(transform = positive)] Vec<Spanned<f64>>),
    /// Gaussian, σ in multiples of the median distance between training rows.
    GaussianTimesMedian(#[schemars(transform = positive)] Vec<Spanned<f64>>),
}

/// Key `uncertainty`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum UncertaintySpec {
    /// Variance in each feature: each of these times the squared distance to the nearest training row.
    NearestNeighbour(#[schemars(transform = positive)] Vec<Spanned<f64>>),
    /// The same in all n features together: an n-th of it in each.
    NearestNeighbourTotal(#[schemars(transform = positive)] Vec<Spanned<f64>>),
    /// The same variance in each feature of each row.
    Isotropic(#[schemars(transform = positive)] Vec<Spanned<f64>>),
    /// `γ²/(n+2)` at level γ, that of the uniform distribution in the ball.
    Level,
}

/// Key `scheme`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SchemeName {
    /// An SVM for each two classes; most votes win.
    OneVsOne,
    /// An SVM for each class against the others; the largest value wins.
    OneVsAll,
}
