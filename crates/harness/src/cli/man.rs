//! `robust-svm man`.

use super::args::Arguments;
use super::exit::{Ended, Exit};
use super::say::{say, say_bytes};
use crate::store::{StoreError, write_atomically};
use clap::{Args, Command, CommandFactory as _};
use clap_mangen::Man;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  robust-svm man | man -l -
  robust-svm man --out ~/.local/share/man/man1";

#[derive(Debug, Args)]
pub(super) struct ManArguments {
    /// The folder for a page of the program and one of each command, made if need be [default: the
    /// program's page on standard output]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn man(arguments: &ManArguments) -> Result<Exit, Ended> {
    let mut program = Arguments::command();
    program.build();
    let Some(out) = &arguments.out else {
        say_bytes(&page(&program)?)?;
        return Ok(Exit::Ok);
    };
    let mut pages = Vec::new();
    add(&program, &mut pages);
    for command in &pages {
        // Its name with the program's in front, as in `git-log`.
        let name = command
            .get_display_name()
            .unwrap_or_else(|| command.get_name());
        let path = out.join(format!("{name}.1"));
        write_atomically(&path, &page(command)?).map_err(|error| {
            Ended::new(Exit::InputOutput, StoreError::io("write", &path)(error))
        })?;
    }
    say(format_args!(
        "{} pages are in {}",
        pages.len(),
        out.display()
    ))?;
    Ok(Exit::Ok)
}

/// The command and all below it that are shown.
fn add<'a>(command: &'a Command, pages: &mut Vec<&'a Command>) {
    pages.push(command);
    let below = command.get_subcommands();
    for command in below.filter(|below| !below.is_hide_set() && below.get_name() != "help") {
        add(command, pages);
    }
}

fn page(command: &Command) -> Result<Vec<u8>, Ended> {
    let name = command
        .get_display_name()
        .unwrap_or_else(|| command.get_name());
    let mut text = Vec::new();
    Man::new(command.clone())
        .title(name.to_uppercase())
        .render(&mut text)
        .map_err(|error| Ended::new(Exit::Internal, error))?;
    Ok(text)
}
