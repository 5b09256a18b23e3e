//! The command line: arguments in, exit code out.

mod args;
mod check;
mod dispatch;
mod exit;
mod run;
mod views;

pub use dispatch::main;
pub use exit::Exit;
