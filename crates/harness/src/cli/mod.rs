//! The command line: arguments in, exit code out.

mod args;
mod check;
mod check_report;
mod columns;
mod completions;
mod dispatch;
mod exit;
mod explain;
mod explain_report;
mod explain_text;
mod figures;
mod interrupt;
mod isolation;
mod kinds;
mod log;
mod man;
mod merge;
mod model_args;
mod model_objects;
mod new;
mod output;
mod plan;
mod plan_report;
mod report;
mod report_error;
mod run;
mod say;
mod schema;
mod selection;
mod train;
mod use_model;
mod verify;
mod verify_report;
mod worker;

pub use dispatch::main;
pub use exit::Exit;
