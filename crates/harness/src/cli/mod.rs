//! The command line: arguments in, exit code out.

mod args;
mod check;
mod dispatch;
mod exit;
mod interrupt;
mod isolation;
mod kinds;
mod model_args;
mod run;
mod say;
mod train;
mod use_model;
mod worker;

pub use dispatch::main;
pub use exit::Exit;
