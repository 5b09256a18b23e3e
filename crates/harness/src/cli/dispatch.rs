//! Parsing, dispatch, and the one place where errors become text and exit codes.

use super::args::{Arguments, Command};
use super::exit::Exit;
use super::{check, run};
use clap::Parser;
use std::fmt::Display;

/// An error for the user, and the exit code it leads to.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) exit: Exit,
    pub(super) message: String,
}

impl Ended {
    pub(super) fn new(exit: Exit, error: impl Display) -> Self {
        Self {
            exit,
            message: error.to_string(),
        }
    }

    /// Bad input, or an input/output error.
    pub(super) fn input(is_io: bool, error: impl Display) -> Self {
        let exit = if is_io {
            Exit::InputOutput
        } else {
            Exit::BadInput
        };
        Self::new(exit, error)
    }
}

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
