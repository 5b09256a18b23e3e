//! The kind `safe-ellipsoid`: whether the safe SVM learns the noise's ellipsoid, and whether that lowers errors
//! [Couellan & Jan (7); Couellan & Wang, CSDA 109 (2017)].

mod measure;
mod plan;
mod plot;
mod prepare;
mod row;
mod run;
mod select;
mod spec;
mod summary;
mod table;
mod views;

pub use plan::{Method, SafePlan, plan};
pub use row::{Descent, Learnt, Measurement, SafeRow, Sizes, TestErrors};
pub use spec::NoiseShape;
pub(crate) use spec::Spec;
