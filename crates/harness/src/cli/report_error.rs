//! Errors on standard error, for people or for programs.

use super::exit::{Ended, Exit};
use super::output::OutputFormat;
use console::Style;
use serde::Serialize;

/// How errors are told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reporter {
    pub(super) format: OutputFormat,
    pub(super) colours: bool,
}

/// An error as an object: `{"error": {"exit_code": …, "kind": …, "message": …}}`.
#[derive(Serialize)]
struct ErrorObject<'a> {
    error: ErrorFields<'a>,
}

#[derive(Serialize)]
struct ErrorFields<'a> {
    exit_code: u8,
    kind: &'static str,
    message: &'a str,
}

impl Reporter {
    /// Tells why the program ends.
    pub(super) fn tell(self, ended: &Ended) -> Exit {
        match (self.format, self.colours) {
            (OutputFormat::Json, _) => tell_object(ended.exit, &ended.message),
            (OutputFormat::Text, false) => eprintln!("error: {}", ended.message),
            (OutputFormat::Text, true) => {
                let style = Style::new().for_stderr().red().bold();
                eprintln!("{} {}", style.apply_to("error:"), ended.coloured);
            }
        }
        ended.exit
    }

    /// After a panic, whose message is told already.
    pub(super) fn panicked(self) -> Exit {
        if self.format == OutputFormat::Json {
            tell_object(Exit::Internal, "a fault of the program, told above");
        }
        Exit::Internal
    }
}

/// Tells a wrong usage, or shows the help that was asked for.
pub(super) fn usage_error(error: &clap::Error, format: OutputFormat) -> Exit {
    if !error.use_stderr() {
        // A reader that has gone needs no help.
        let _ = error.print();
        return Exit::Ok;
    }
    match format {
        OutputFormat::Json => {
            let message = error.to_string();
            let message = message.trim_end();
            tell_object(
                Exit::BadInput,
                message.strip_prefix("error: ").unwrap_or(message),
            );
        }
        OutputFormat::Text => {
            let _ = error.print();
        }
    }
    Exit::BadInput
}

fn tell_object(exit: Exit, message: &str) {
    let object = ErrorObject {
        error: ErrorFields {
            exit_code: exit as u8,
            kind: exit.name(),
            message,
        },
    };
    let text = serde_json::to_string(&object).expect("texts and numbers can be written");
    eprintln!("{text}");
}
