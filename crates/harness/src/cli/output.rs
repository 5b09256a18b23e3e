//! How the program speaks: text or JSON, with colour or without, and how much it tells of its work.

use clap::{Args, ValueEnum};
use std::io::IsTerminal as _;

/// The options that every command has.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct OutputArguments {
    /// How results and errors are written: json is one object a command on standard output, and one an
    /// error or warning on standard error
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "text",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    pub(super) format: OutputFormat,
    /// Colours: auto, always or never; auto is where a terminal shows them and NO_COLOR is not set
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    pub(super) color: Colour,
    /// What is told on standard error of the work: error, warn, info or debug
    #[arg(
        long,
        global = true,
        value_name = "LEVEL",
        env = "ROBUST_SVM_LOG",
        hide_env_values = true,
        default_value = "warn",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    pub(super) log_level: LogLevel,
}

/// What results are written as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum OutputFormat {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// Where colours are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Colour {
    Auto,
    Always,
    Never,
}

/// The least important message that is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
}

impl Colour {
    /// Whether standard error has colours.
    pub(super) fn on_stderr(self) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                std::io::stderr().is_terminal() && !set("NO_COLOR") && !dumb
            }
        }
    }

    /// The same for the texts that clap makes.
    pub(super) fn of_clap(self) -> clap::ColorChoice {
        match self {
            Self::Auto => clap::ColorChoice::Auto,
            Self::Always => clap::ColorChoice::Always,
            Self::Never => clap::ColorChoice::Never,
        }
    }
}

impl From<LogLevel> for log::LevelFilter {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Error => Self::Error,
            LogLevel::Warn => Self::Warn,
            LogLevel::Info => Self::Info,
            LogLevel::Debug => Self::Debug,
        }
    }
}

/// The value of the option `--NAME` among `arguments`, for what must be known before they are parsed: how
/// errors of usage are written.
pub(super) fn early<T: ValueEnum>(arguments: &[String], name: &str) -> Option<T> {
    let option = format!("--{name}");
    let mut value = None;
    for (index, argument) in arguments.iter().enumerate() {
        if argument == "--" {
            break;
        }
        let found = match argument.strip_prefix(&option) {
            Some("") => arguments.get(index + 1).map(String::as_str),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        let parsed = found.and_then(|text| T::from_str(text, false).ok());
        value = parsed.or(value);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::{Colour, OutputFormat, early};

    #[test]
    fn options_are_found_before_they_are_parsed() {
        let of = |line: &str| -> Vec<String> { line.split(' ').map(str::to_owned).collect() };
        let colour = |line| early::<Colour>(&of(line), "color");
        assert_eq!(colour("run --color never x.toml"), Some(Colour::Never));
        assert_eq!(colour("--color=always run"), Some(Colour::Always));
        assert_eq!(colour("run --colors never"), None);
        assert_eq!(colour("run -- --color never"), None);
        assert_eq!(colour("run --color"), None);
        let format = early::<OutputFormat>(&of("run --format json --rnu"), "format");
        assert_eq!(format, Some(OutputFormat::Json));
    }
}
