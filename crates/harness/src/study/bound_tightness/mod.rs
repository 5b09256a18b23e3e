//! The kind `bound-tightness`: how much larger each feature-uncertainty bound Γ is than the largest movement of
//! the features that an attack finds.

mod measure;
mod plan;
mod plot;
mod prepare;
mod row;
mod run;
mod spec;
mod summary;
mod table;
mod views;

pub use plan::{Point, TightnessPlan, plan};
pub use row::{Tightness, TightnessRow};
pub(crate) use spec::Spec;
pub use spec::{MapName, Width};
