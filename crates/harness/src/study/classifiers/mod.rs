//! The kind `classifiers`: how classifiers of every family do on tasks of any number of classes, under several kinds of noise.

mod attack;
mod check_embedding;
mod check_method;
mod confusion;
mod grid;
mod measure;
mod method;
mod noise;
mod parts;
mod plan;
mod plan_method;
mod plot;
mod prepare;
mod published;
mod risk;
mod row;
mod run;
mod spec;
mod spec_data;
mod spec_method;
mod spec_noise;
mod summary;
mod table;
mod table_confusion;
mod table_published;
mod task;
mod views;
mod work;

pub use confusion::Confusion;
pub use grid::KernelGrid;
pub use method::Chosen;
pub use parts::Parts;
pub use plan::{ClassifiersGroup, ClassifiersPlan, NoisePlan, plan};
pub use plan_method::{
    Dims, Embedding, Family, Form, Graph, MarginMap, Method, Projection, Widths,
};
pub use published::{Published, PublishedFigure};
pub use row::{ClassifierRow, Measurement, RiskBounds, Sizes};
pub(crate) use spec::Spec;
pub use spec_noise::NoiseKind;
pub use task::ClassifierTask;
