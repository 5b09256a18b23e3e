//! Checks of the sections `[[method]]`.

use super::grid::{KernelGrid, check_counts, check_kernels};
use super::plan_method::{Family, MarginMap, Projection};
use super::spec_method::{ClassifierName, MethodSpec, ProjectionName, SchemeName};
use crate::plan::PlanError;
use crate::plan::numbers::{Allowed, check_count, check_numbers};
use crate::spec::{Spanned, SpecFile};
use std::ops::Range;

/// More than these are a slip.
pub(super) const MAX_COUNT: usize = 1_000_000;

/// A section `[[method]]` under check.
pub(super) struct Checks<'a> {
    pub(super) file: &'a SpecFile,
    pub(super) spec: &'a MethodSpec,
}

impl<'a> Checks<'a> {
    /// The checks of `spec`.
    pub(super) fn new(file: &'a SpecFile, spec: &'a MethodSpec) -> Self {
        Self { file, spec }
    }
}

impl Checks<'_> {
    /// The family with its grids.
    pub(super) fn family(&self) -> Result<Family, PlanError> {
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

    /// k of nearest neighbours.
    pub(super) fn k(&self) -> Result<usize, PlanError> {
        match &self.spec.k {
            Some(k) => check_count(self.file, "k", k, MAX_COUNT),
            None => Ok(5),
        }
    }

    fn features(&self) -> Result<usize, PlanError> {
        let features = self.needed("features", self.spec.features.as_ref())?;
        check_count(self.file, "features", features, MAX_COUNT)
    }

    fn lambdas(&self) -> Result<Vec<f64>, PlanError> {
        let list = self.needed("lambda", self.spec.lambda.as_ref())?;
        check_numbers(self.file, "lambda", list, Allowed::Positive)
    }

    /// The kernels tried.
    pub(super) fn kernels(&self) -> Result<Vec<KernelGrid>, PlanError> {
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
    pub(super) fn needed<'a, T>(
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
    pub(super) fn refuse_keys(&self) -> Result<(), PlanError> {
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

    /// `key` where it means nothing.
    pub(super) fn meaningless(
        &self,
        key: &str,
        span: Range<usize>,
        beside: &str,
        help: &str,
    ) -> PlanError {
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
