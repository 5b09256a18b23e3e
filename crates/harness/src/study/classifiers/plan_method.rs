//! Checks of the sections `[[method]]`.

use super::grid::{KernelGrid, check_counts, check_kernels};
use super::spec_method::{
    ClassifierName, EmbeddingSpec, FormName, GraphName, MethodSpec, ProjectionName, SchemeName,
    UncertaintySpec, UnitName,
};
use crate::plan::PlanError;
use crate::plan::numbers::{Allowed, check_count, check_numbers};
use crate::spec::{Spanned, SpecFile};
use robust_svm_solvers::EmbeddingSettings;
use std::collections::BTreeMap;
use std::ops::Range;

/// More than these are a slip.
const MAX_COUNT: usize = 1_000_000;

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
    all: Vec<usize>,
    on: BTreeMap<String, Vec<usize>>,
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
        let checks = Checks { file, spec };
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

struct Checks<'a> {
    file: &'a SpecFile,
    spec: &'a MethodSpec,
}

impl Checks<'_> {
    fn family(&self) -> Result<Family, PlanError> {
        let spec = self.spec;
        Ok(match spec.classifier.get_ref() {
            ClassifierName::KNn => match (&spec.embedding, &spec.projection) {
                (Some(embedding), _) => Family::Embedding(self.embedding(embedding)?),
                (None, Some(projection)) => Family::Projection {
                    name: match projection.get_ref() {
                        ProjectionName::Rslda => Projection::Rslda,
                        ProjectionName::Trpca => Projection::Trpca,
                        ProjectionName::Fastsda => Projection::FastSda,
                    },
                    dims: self.dims()?,
                    k: self.k()?,
                },
                (None, None) => Family::Neighbours { k: self.k()? },
            },
            ClassifierName::Tree => Family::Tree {
                depths: check_counts(
                    self.file,
                    "depth",
                    self.needed("depth", self.spec.depth.as_ref())?,
                )?,
            },
            ClassifierName::Svm => Family::Svm {
                kernels: self.kernels()?,
                lambdas: self.lambdas()?,
                one_vs_all: spec
                    .scheme
                    .as_ref()
                    .is_some_and(|scheme| *scheme.get_ref() == SchemeName::OneVsAll),
            },
            ClassifierName::KernelRidge => Family::Ridge {
                kernels: self.kernels()?,
                lambdas: self.lambdas()?,
            },
            ClassifierName::Linear => self.margin(MarginMap::Identity)?,
            ClassifierName::Rff => {
                self.margin(MarginMap::Rff(self.features()?, self.gaussians()?))?
            }
            ClassifierName::Nystrom => {
                self.margin(MarginMap::Nystrom(self.features()?, self.gaussians()?))?
            }
            ClassifierName::Smm => Family::Measure {
                kernels: self.gaussians()?,
                lambdas: self.lambdas()?,
                features: None,
            },
            ClassifierName::SmmRff => Family::Measure {
                kernels: self.gaussians()?,
                lambdas: self.lambdas()?,
                features: Some(self.features()?),
            },
        })
    }

    fn margin(&self, map: MarginMap) -> Result<Family, PlanError> {
        Ok(Family::Margin {
            map,
            lambdas: self.lambdas()?,
            robust: self
                .spec
                .robust
                .as_ref()
                .is_some_and(|robust| *robust.get_ref()),
        })
    }

    fn embedding(&self, spec: &Spanned<EmbeddingSpec>) -> Result<Embedding, PlanError> {
        let EmbeddingSpec {
            graph,
            form,
            within,
            between,
            unit,
            ridge,
        } = *spec.get_ref();
        let ridges = Spanned::new(spec.span(), vec![Spanned::new(spec.span(), ridge)]);
        check_numbers(self.file, "ridge", &ridges, Allowed::Positive)?;
        let unit_together = unit == UnitName::Together;
        if unit_together && graph == GraphName::Pca {
            let help = "pca keeps nothing together: leave it out";
            return Err(self.meaningless("unit", spec.span(), "with the graph pca", help));
        }
        let (form, is_kernel) = match form {
            FormName::Ge => (Form::Points, true),
            FormName::Geu => (Form::Linear, false),
            FormName::Ngeu => (Form::MeanEmbeddings, true),
        };
        if !is_kernel && let Some(kernel) = &self.spec.kernel {
            let help = "the form geu is linear: leave it out";
            return Err(self.meaningless("kernel", kernel.span(), "in the form geu", help));
        }
        if form == Form::Points
            && let Some(uncertainty) = &self.spec.uncertainty
        {
            let help = "the form ge embeds points: leave it out, or write form = \"ngeu\"";
            return Err(self.meaningless(
                "uncertainty",
                uncertainty.span(),
                "in the form ge",
                help,
            ));
        }
        Ok(Embedding {
            graph: match graph {
                GraphName::Pca => Graph::Pca,
                GraphName::Lda => Graph::Lda,
                GraphName::Mfa => Graph::Mfa { within, between },
            },
            kernels: if is_kernel {
                self.kernels()?
            } else {
                Vec::new()
            },
            widths: if form == Form::Points {
                Widths::Points
            } else {
                self.widths()?
            },
            form,
            dims: self.dims()?,
            k: self.k()?,
            unit_together,
            settings: EmbeddingSettings { ridge },
        })
    }

    fn widths(&self) -> Result<Widths, PlanError> {
        let written = self.needed("uncertainty", self.spec.uncertainty.as_ref())?;
        let numbers = |list: &[Spanned<f64>]| {
            let list = Spanned::new(written.span(), list.to_vec());
            check_numbers(self.file, "uncertainty", &list, Allowed::Positive)
        };
        Ok(match written.get_ref() {
            UncertaintySpec::NearestNeighbour(list) => Widths::NearestNeighbour(numbers(list)?),
            UncertaintySpec::NearestNeighbourTotal(list) => {
                Widths::NearestNeighbourTotal(numbers(list)?)
            }
            UncertaintySpec::Isotropic(list) => Widths::Isotropic(numbers(list)?),
            UncertaintySpec::Level => Widths::Level,
        })
    }

    fn k(&self) -> Result<usize, PlanError> {
        match &self.spec.k {
            Some(k) => check_count(self.file, "k", k, MAX_COUNT),
            None => Ok(5),
        }
    }

    fn features(&self) -> Result<usize, PlanError> {
        let features = self.needed("features", self.spec.features.as_ref())?;
        check_count(self.file, "features", features, MAX_COUNT)
    }

    fn dims(&self) -> Result<Dims, PlanError> {
        let check = |list| check_counts(self.file, "dims", list);
        let of = |(label, list): (&String, _)| Ok((label.clone(), check(list)?));
        Ok(Dims {
            all: check(self.needed("dims", self.spec.dims.as_ref())?)?,
            on: self
                .spec
                .dims_on
                .iter()
                .map(of)
                .collect::<Result<_, PlanError>>()?,
        })
    }

    fn lambdas(&self) -> Result<Vec<f64>, PlanError> {
        let list = self.needed("lambda", self.spec.lambda.as_ref())?;
        check_numbers(self.file, "lambda", list, Allowed::Positive)
    }

    fn kernels(&self) -> Result<Vec<KernelGrid>, PlanError> {
        check_kernels(self.file, self.needed("kernel", self.spec.kernel.as_ref())?)
    }

    fn gaussians(&self) -> Result<Vec<KernelGrid>, PlanError> {
        let kernels = self.kernels()?;
        if kernels.iter().all(KernelGrid::is_gaussian) {
            return Ok(kernels);
        }
        let span = self.spec.kernel.as_ref().map_or(0..0, Spanned::span);
        let name = self.spec.classifier.get_ref().name();
        let message = format!("classifier `{name}` has Gaussian kernels only");
        let help = "for example kernel = [{ gaussian-times-median = [0.5, 1.0] }]";
        Err(self.file.error_at(span, message, help).into())
    }

    /// A key that the classifier cannot do without.
    fn needed<'a, T>(
        &self,
        key: &str,
        value: Option<&'a Spanned<T>>,
    ) -> Result<&'a Spanned<T>, PlanError> {
        value.ok_or_else(|| {
            let name = self.spec.classifier.get_ref().name();
            let message = format!("this `{name}` needs the key `{key}`");
            let help = EXAMPLES.iter().find(|(name, _)| *name == key);
            let help = help.map_or_else(String::new, |(_, text)| format!("for example {text}"));
            let error = self
                .file
                .error_at(self.spec.classifier.span(), message, help);
            PlanError::from(error)
        })
    }

    /// Refuses keys that have no meaning beside the classifier.
    fn refuse_keys(&self) -> Result<(), PlanError> {
        let spec = self.spec;
        let given: [(&str, Option<Range<usize>>); 12] = [
            ("k", spec.k.as_ref().map(Spanned::span)),
            ("embedding", spec.embedding.as_ref().map(Spanned::span)),
            ("projection", spec.projection.as_ref().map(Spanned::span)),
            ("kernel", spec.kernel.as_ref().map(Spanned::span)),
            ("dims", spec.dims.as_ref().map(Spanned::span)),
            ("dims_on", spec.dims_on.values().next().map(Spanned::span)),
            ("uncertainty", spec.uncertainty.as_ref().map(Spanned::span)),
            ("lambda", spec.lambda.as_ref().map(Spanned::span)),
            ("scheme", spec.scheme.as_ref().map(Spanned::span)),
            ("depth", spec.depth.as_ref().map(Spanned::span)),
            ("robust", spec.robust.as_ref().map(Spanned::span)),
            ("features", spec.features.as_ref().map(Spanned::span)),
        ];
        let name = *spec.classifier.get_ref();
        let meant = self.keys_meant();
        for (key, span) in given {
            if let Some(span) = span
                && !meant.contains(&key)
            {
                let beside = if spec.embedding.is_some() && key == "projection" {
                    "beside an embedding".to_owned()
                } else {
                    format!("beside this `{}`", name.name())
                };
                let help = format!("its keys are {}", meant.join(", "));
                return Err(self.meaningless(key, span, &beside, &help));
            }
        }
        Ok(())
    }

    /// The keys that have a meaning.
    fn keys_meant(&self) -> &'static [&'static str] {
        match self.spec.classifier.get_ref() {
            ClassifierName::KNn if self.spec.embedding.is_some() => {
                &["k", "embedding", "kernel", "dims", "dims_on", "uncertainty"]
            }
            ClassifierName::KNn if self.spec.projection.is_some() => {
                &["k", "projection", "dims", "dims_on"]
            }
            ClassifierName::KNn => &["k", "embedding", "projection"],
            ClassifierName::Tree => &["depth"],
            ClassifierName::Svm => &["kernel", "lambda", "scheme"],
            ClassifierName::KernelRidge | ClassifierName::Smm => &["kernel", "lambda"],
            ClassifierName::Linear => &["lambda", "robust"],
            ClassifierName::Rff | ClassifierName::Nystrom => {
                &["kernel", "lambda", "robust", "features"]
            }
            ClassifierName::SmmRff => &["kernel", "lambda", "features"],
        }
    }

    fn meaningless(&self, key: &str, span: Range<usize>, beside: &str, help: &str) -> PlanError {
        let message = format!("`{key}` has no meaning {beside}");
        self.file.error_at(span, message, help).into()
    }
}

/// What keys that are missing may look like.
const EXAMPLES: [(&str, &str); 6] = [
    ("kernel", "kernel = [\"linear\", { gaussian = [1.0, 4.0] }]"),
    ("lambda", "lambda = [0.1, 1.0, 10.0]"),
    ("dims", "dims = [1, 2, 4, 8]"),
    ("depth", "depth = [4, 8, 16]"),
    ("features", "features = 256"),
    (
        "uncertainty",
        "uncertainty = { nearest-neighbour = [0.1, 0.4] }",
    ),
];
