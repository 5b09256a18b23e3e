//! The experiment file as it is written, before anything is checked against data.

mod dataset;
mod file;
mod kind;
mod raw;
mod sigma;

pub use dataset::DatasetEntry;
pub(crate) use file::Example;
pub use file::{SpecError, SpecFile};
pub use kind::Kind;
pub use raw::{
    AttackSpec, ChooseName, DataSpec, EvaluationSpec, FeaturesSpec, FrequenciesName, MapName,
    MethodSpec, MissingName, OneOrMany, PerSample, RowCapSpec, ScaleName, SelectionRule,
    SelectionSpec, Shape, SharesSpec, SolverName, Spec, UncertaintySpec,
};
pub use sigma::SigmaSpec;
