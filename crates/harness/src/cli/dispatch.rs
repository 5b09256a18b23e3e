//! Parsing, dispatch, and the one place where errors become text and exit codes.

use super::args::{Arguments, Command};
use super::exit::Exit;
use super::{check, run};
use clap::Parser;

/// Runs the program on the process's arguments.
pub fn main() -> Exit {
    let ended = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Check(arguments) => check::check(&arguments),
    };
    ended.unwrap_or_else(|ended| {
        eprintln!("error: {}", ended.message);
        ended.exit
    })
}
