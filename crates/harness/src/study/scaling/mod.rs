//! The kind `scaling`: what training costs, in time and in memory, as problems grow.
//!
//! A cell trains one method once on synthetic rows ([`rows`]) while one axis varies, L, n, D or m, and the others stand at their
//! base ([`size`]). It is a group of its own, so that a worker process runs it alone: [`measures_processes`](crate::run::Experiment::measures_processes).
//! What it found out, objective, gap and iterations, is its row in `cells.parquet`; what it took is in `timings.parquet` like that of every
//! cell. Both meet in [`measured`], from where slopes are fitted ([`slope`]) and stand beside those of the theory ([`theory`])
//! in table and figures.

mod measured;
mod method;
mod plan;
mod plot;
mod row;
mod rows;
mod run;
mod size;
mod slope;
mod solver;
mod spec;
mod table;
mod theory;
mod train;
mod train_blocks;
mod train_kernel;
mod views;

pub use method::MethodPlan;
pub use plan::{Cell, ScalingPlan, plan};
pub use row::{ScalingRow, Trained};
pub use size::{AxisName, Sizes};
pub use slope::Slope;
pub use solver::TrainerName;
pub(crate) use spec::Spec;
