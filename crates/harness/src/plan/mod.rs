//! The validated experiment: every cell, with nothing left to go wrong that can be known beforehand.

mod cell;
pub(crate) mod check;
mod compare;
pub(crate) mod data;
mod error;
mod experiment;
mod grid;
pub(crate) mod map;
pub(crate) mod method;
pub(crate) mod numbers;
pub(crate) mod tasks;
mod uncertainty;

pub use cell::CellKey;
pub use check::plan;
pub use compare::Comparison;
pub use error::PlanError;
pub use experiment::{Evaluation, GroupKey, Plan, Task};
pub use grid::{BandwidthRule, Grid, SigmaGrid};
pub use map::MapPlan;
pub use method::MethodPlan;
pub use uncertainty::{ShapePlan, UncertaintyPlan};
