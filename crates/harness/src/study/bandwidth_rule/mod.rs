//! The kind `bandwidth-rule`: how well the bandwidth rule of Couellan & Jan, Prop. 5.1, keeps its promises.

mod measure;
mod plan;
mod plot;
mod row;
mod run;
mod spec;
mod table;
mod views;

pub use plan::{BandwidthPlan, Cell, Rule, plan};
pub use row::{BandwidthRow, Kept};
pub use spec::ShapeName;
pub(crate) use spec::Spec;
