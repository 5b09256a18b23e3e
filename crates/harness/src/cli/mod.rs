//! The command line: arguments in, exit code out.

mod args;
mod check;
mod dispatch;
mod exit;
mod run;

pub use dispatch::main;
pub use exit::Exit;
