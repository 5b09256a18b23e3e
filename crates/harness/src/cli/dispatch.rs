//! Parsing, dispatch, and the one place where errors become text and exit codes.

use super::args::{Arguments, Command};
use super::exit::Exit;
use super::{check, figures, run, train, use_model};
use clap::Parser;
use std::panic::catch_unwind;

/// Runs the program on the process's arguments.
pub fn main() -> Exit {
    let ended = catch_unwind(|| match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Figures(arguments) => figures::figures(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Train(arguments) => train::train(&arguments),
        Command::Predict(arguments) => use_model::predict(&arguments),
        Command::Certify(arguments) => use_model::certify(&arguments),
    });
    // A panic has told its message and place by now.
    let Ok(ended) = ended else {
        return Exit::Internal;
    };
    ended.unwrap_or_else(|ended| {
        eprintln!("error: {}", ended.message);
        ended.exit
    })
}
