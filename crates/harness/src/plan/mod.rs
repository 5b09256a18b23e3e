//! The validated experiment: every cell, with nothing left to go wrong that can be known beforehand.

mod cell;
pub(crate) mod check;
pub(crate) mod data;
mod error;
mod experiment;
pub(crate) mod method;
pub(crate) mod numbers;
pub(crate) mod tasks;

pub use cell::CellKey;
pub use check::plan;
pub use error::PlanError;
pub use experiment::{Evaluation, Grid, GroupKey, Plan, Task};
pub use method::{MapPlan, MethodPlan};
