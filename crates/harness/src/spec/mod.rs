//! The experiment file as it is written, before anything is checked against data.

mod compare;
mod dataset;
mod features;
mod file;
mod kind;
mod raw;
mod sigma;
mod uncertainty;

pub use compare::{CompareMetric, CompareSpec};
pub use dataset::DatasetEntry;
pub use features::{ChooseName, FeaturesSpec, FormName, FrequenciesName, MapName, OneOrMany};
pub(crate) use file::Example;
pub use file::{SpecError, SpecFile};
pub use kind::Kind;
pub use raw::{
    AttackSpec, DataSpec, EvaluationSpec, ExactSpec, MethodSpec, MissingName, RowCapSpec,
    ScaleName, SelectionRule, SelectionSpec, SharesSpec, SolverName, Spec,
};
pub use sigma::SigmaSpec;
pub use uncertainty::{CovarianceName, NormName, PerSample, Shape, UncertaintySpec};
