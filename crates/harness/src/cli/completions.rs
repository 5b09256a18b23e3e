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
    say_bytes(&script)?;
    Ok(Exit::Ok)
}
