//! The experiment file as it is written, before anything is checked against data.

mod compare;
pub(crate) mod constraint;
mod dataset;
pub(crate) mod expand;
mod features;
mod file;
mod kind;
mod merge;
mod raw;
mod sigma;
mod sources;
mod spanned;
mod stored;
mod template;
mod uncertainty;

pub use compare::{CompareMetric, CompareSpec};
pub use dataset::DatasetEntry;
pub use features::{ChooseName, FeaturesSpec, FormName, FrequenciesName, MapName, OneOrMany};
pub(crate) use file::Example;
pub use file::{SpecError, SpecFile};
pub use kind::Kind;
pub use raw::{
    AttackSpec, DataSpec, EvaluationSpec, ExactSpec, InputsName, InterceptName, MethodSpec,
    MissingName, RowCapSpec, ScaleName, SelectionRule, SelectionSpec, SharesSpec, SolverName, Spec,
};
pub use sigma::SigmaSpec;
pub use spanned::Spanned;
pub use uncertainty::{
    ChanceSpec, CovarianceName, NoiseName, NormName, PerSample, Shape, UncertaintySpec,
};
