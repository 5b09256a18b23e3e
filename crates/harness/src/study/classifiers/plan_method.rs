//! Methods as planned.

use super::check_method::Checks;
use super::grid::KernelGrid;
use super::spec_method::MethodSpec;
use crate::plan::PlanError;
use crate::spec::SpecFile;
use robust_svm_solvers::EmbeddingSettings;
use std::collections::BTreeMap;

/// A method.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// The name in results.
    pub name: String,
    /// What it is, with its grids.
    pub family: Family,
}

/// A family of classifiers, with the grids in the order in which they are tried.
#[derive(Debug, Clone, PartialEq)]
pub enum Family {
    /// k nearest neighbours.
    Neighbours {
        /// k.
        k: usize,
    },
    /// A graph embedding, then k nearest neighbours.
    Embedding(Embedding),
    /// Another projection, then k nearest neighbours.
    Projection {
        /// Which.
        name: Projection,
        /// The dimensions tried.
        dims: Dims,
        /// k.
        k: usize,
    },
    /// Kernel SVMs, one against one or one against all.
    Svm {
        /// The kernels tried.
        kernels: Vec<KernelGrid>,
        /// The λ tried.
        lambdas: Vec<f64>,
        /// Whether each class is told from all others, not from each other.
        one_vs_all: bool,
    },
    /// The kernel ridge classifier.
    Ridge {
        /// The kernels tried.
        kernels: Vec<KernelGrid>,
        /// The λ tried.
        lambdas: Vec<f64>,
    },
    /// A decision tree.
    Tree {
        /// The depths tried.
        depths: Vec<usize>,
    },
    /// A linear SVM of two classes, in inputs or features.
    Margin {
        /// The features.
        map: MarginMap,
        /// The λ tried.
        lambdas: Vec<f64>,
        /// Whether it is trained against the worst case at the cell's level.
        robust: bool,
    },
    /// The support measure machine.
    Measure {
        /// The kernels tried.
        kernels: Vec<KernelGrid>,
        /// The λ tried.
        lambdas: Vec<f64>,
        /// D of random Fourier features; the exact kernel where there is none.
        features: Option<usize>,
    },
}

/// A graph embedding with its grids.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    /// The graph.
    pub graph: Graph,
    /// The form.
    pub form: Form,
    /// The kernels tried; none of the linear form.
    pub kernels: Vec<KernelGrid>,
    /// The dimensions tried.
    pub dims: Dims,
    /// The variances tried.
    pub widths: Widths,
    /// k of the neighbours behind it.
    pub k: usize,
    /// Whether directions have unit length in what is kept together; else it is in what is kept apart.
    pub unit_together: bool,
    /// The regularisation.
    pub settings: EmbeddingSettings,
}

/// The graph of an embedding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Graph {
    /// Principal components.
    Pca,
    /// Linear discriminants.
    Lda,
    /// Marginal Fisher analysis.
    Mfa {
        /// Neighbours within the class.
        within: usize,
        /// Pairs between classes.
        between: usize,
    },
}

/// What is embedded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Points, by a kernel.
    Points,
    /// Normal inputs, linearly.
    Linear,
    /// Normal inputs, by their mean embeddings.
    MeanEmbeddings,
}

/// Variances of inputs.
#[derive(Debug, Clone, PartialEq)]
pub enum Widths {
    /// None: inputs are points.
    Points,
    /// Times the squared distance to the nearest training row.
    NearestNeighbour(Vec<f64>),
    /// The same for all features together.
    NearestNeighbourTotal(Vec<f64>),
    /// The same everywhere.
    Isotropic(Vec<f64>),
    /// By the cell's level.
    Level,
}

/// Dimensions, on all datasets but for some.
#[derive(Debug, Clone, PartialEq)]
pub struct Dims {
    pub(super) all: Vec<usize>,
    pub(super) on: BTreeMap<String, Vec<usize>>,
}

impl Dims {
    /// Those tried on the dataset called `label`.
    pub fn on(&self, label: &str) -> &[usize] {
        self.on.get(label).unwrap_or(&self.all)
    }
}

/// Which projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Projection {
    /// Robust sparse LDA.
    Rslda,
    /// Trimmed PCA.
    Trpca,
    /// Fast subclass discriminant analysis.
    FastSda,
}

/// The features of a margin classifier.
#[derive(Debug, Clone, PartialEq)]
pub enum MarginMap {
    /// The inputs.
    Identity,
    /// Random Fourier features of this dimension.
    Rff(usize, Vec<KernelGrid>),
    /// Nyström features of so many landmarks.
    Nystrom(usize, Vec<KernelGrid>),
}

impl Method {
    /// The method written as `spec`.
    pub(super) fn check(file: &SpecFile, spec: &MethodSpec) -> Result<Self, PlanError> {
        let checks = Checks::new(file, spec);
        checks.refuse_keys()?;
        Ok(Self {
            name: spec.name.get_ref().clone(),
            family: checks.family()?,
        })
    }

    /// Whether models differ from level to level.
    pub fn is_of_level(&self) -> bool {
        match &self.family {
            Family::Embedding(embedding) => embedding.widths == Widths::Level,
            Family::Margin { robust, .. } => *robust,
            Family::Measure { .. } => true,
            Family::Neighbours { .. }
            | Family::Projection { .. }
            | Family::Svm { .. }
            | Family::Ridge { .. }
            | Family::Tree { .. } => false,
        }
    }

    /// Whether it tells two classes apart only.
    pub fn is_binary(&self) -> bool {
        matches!(self.family, Family::Margin { .. } | Family::Measure { .. })
    }
}
