//! Parsing, dispatch, and the one place where errors become text and exit codes.

use super::args::{Arguments, Command};
use super::exit::Exit;
use super::output::{Colour, OutputFormat, early};
use super::report_error::{Reporter, usage_error};
use super::{
    check, completions, datasets, explain, figures, log, man, merge, new, plan, report, run,
    schema, train, use_model, verify, worker,
};
use clap::{CommandFactory as _, FromArgMatches as _};
use std::panic::catch_unwind;

/// Runs the program on the process's arguments.
pub fn main() -> Exit {
    let given: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let colour = early(&given, "color").unwrap_or(Colour::Auto);
    let format = early(&given, "format").unwrap_or_default();
    let command = Arguments::command().color(colour.of_clap());
    let parsed = command
        .try_get_matches()
        .and_then(|mut matches| Arguments::from_arg_matches_mut(&mut matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return usage_error(&error, format),
    };
    let output = arguments.output;
    let reporter = Reporter {
        format: output.format,
        colours: output.color.on_stderr(),
    };
    console::set_colors_enabled_stderr(reporter.colours);
    log::tell(output.log_level.into(), output.format);
    // A panic has told its message and place by now.
    match catch_unwind(|| dispatch(&arguments.command, output.format)) {
        Ok(Ok(exit)) => exit,
        Ok(Err(ended)) => reporter.tell(&ended),
        Err(_) => reporter.panicked(),
    }
}

fn dispatch(command: &Command, format: OutputFormat) -> Result<Exit, super::exit::Ended> {
    match command {
        Command::Run(arguments) => run::run(arguments, format),
        Command::Worker => worker::worker(),
        Command::Plan(arguments) => plan::plan(arguments, format),
        Command::Merge(arguments) => merge::merge(arguments, format),
        Command::Figures(arguments) => figures::figures(arguments, format),
        Command::Check(arguments) => check::check(arguments, format),
        Command::Report(arguments) => report::report(arguments, format),
        Command::Explain(arguments) => explain::explain(arguments, format),
        Command::Verify(arguments) => verify::verify(arguments, format),
        Command::Train(arguments) => train::train(arguments, format),
        Command::Predict(arguments) => use_model::predict(arguments, format),
        Command::Certify(arguments) => use_model::certify(arguments, format),
        Command::New(arguments) => new::new(arguments, format),
        Command::Datasets(arguments) => datasets::datasets(arguments, format),
        Command::Schema(arguments) => schema::print(arguments, format),
        Command::Completions(arguments) => completions::completions(arguments),
        Command::Man(arguments) => man::man(arguments),
    }
}
