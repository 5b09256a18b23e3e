//! The command line: arguments in, exit code out.

mod args;
mod check;
mod exit;
mod dispatch;
mod run;

pub use exit::Exit;
pub use dispatch::main;
