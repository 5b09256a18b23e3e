//! The command line: arguments in, exit code out.

mod args;
mod check;
mod dispatch;
mod exit;
mod interrupt;
mod isolation;
mod kinds;
mod merge;
mod model_args;
mod plan;
mod plan_report;
mod report;
mod run;
mod say;
mod selection;
mod train;
mod use_model;
mod worker;

pub use dispatch::main;
pub use exit::Exit;
