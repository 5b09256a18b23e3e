//! The validated experiment: every cell, with nothing left to go wrong that can be known beforehand.

mod cell;
pub(crate) mod check;
mod compare;
pub(crate) mod data;
mod error;
mod experiment;
mod grid;
mod levels;
pub(crate) mod map;
pub(crate) mod method;
pub(crate) mod numbers;
mod planned;
pub(crate) mod probe;
pub(crate) mod robustness;
mod select;
mod solver;
pub(crate) mod tasks;
mod uncertainty;
mod uniform;
mod work;

pub use cell::CellKey;
pub use check::plan;
pub use compare::Comparison;
pub use data::Parts;
pub use error::PlanError;
pub use experiment::{Evaluation, GroupKey, Plan, Task, common_scaling};
pub use grid::{BandwidthRule, Grid, SigmaGrid};
pub use levels::{Chance, LevelKind, TestNoise};
pub use map::MapPlan;
pub use method::MethodPlan;
pub use planned::PlannedCell;
pub use robustness::Robustness;
pub(crate) use select::escaped;
pub use select::{SelectError, Selection, Shard};
pub use uncertainty::{ShapePlan, UncertaintyPlan};
pub(crate) use work::part_rows;
