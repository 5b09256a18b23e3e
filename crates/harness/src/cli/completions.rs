//! `robust-svm completions`.

use super::args::Arguments;
use super::exit::{Ended, Exit};
use super::say::say_bytes;
use clap::{Args, CommandFactory as _};
use clap_complete::{Shell, generate};

pub(super) const EXAMPLES: &str = "\
Examples:
  robust-svm completions bash > ~/.local/share/bash-completion/completions/robust-svm
  robust-svm completions zsh > ~/.zfunc/_robust-svm
  robust-svm completions fish > ~/.config/fish/completions/robust-svm.fish

With zsh, ~/.zfunc must be in fpath before compinit.";

#[derive(Debug, Args)]
pub(super) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

pub(super) fn completions(arguments: &CompletionsArguments) -> Result<Exit, Ended> {
    let mut script = Vec::new();
    generate(
        arguments.shell,
        &mut Arguments::command(),
        "robust-svm",
        &mut script,
    );
    let script = String::from_utf8(script).map_err(|error| Ended::new(Exit::Internal, error))?;
    // clap_complete 4.6 spells the hyphen of the program's name in two ways in its script for bash, and finds no command.
    let script = script.replace("robust__subcmd__svm", "robust__svm");
    say_bytes(script.as_bytes())?;
    Ok(Exit::Ok)
}
