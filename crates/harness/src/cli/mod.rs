//! The command line: arguments in, exit code out.

mod args;
mod check;
mod dispatch;
mod exit;
mod figures;
mod kinds;
mod model_args;
mod run;
mod say;
mod train;
mod use_model;

pub use dispatch::main;
pub use exit::Exit;
