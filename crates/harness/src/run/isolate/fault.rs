//! How a worker went wrong at a cell, and what is said of the cell then.

use super::Limits;
use crate::run::Failure;
use crate::store::Status;
use std::process::ExitStatus;

/// How a worker went wrong.
#[derive(Debug)]
pub(super) enum Fault {
    /// The cell took too long.
    Time,
    /// The worker took too much memory.
    Memory,
    /// The worker ended; `None` if it only closed its output.
    End(Option<ExitStatus>),
    /// It said what it must not say.
    Noise(String),
    /// A panic, with its message.
    Panic(String),
}

impl Fault {
    /// Whether it may not be the cell's doing: memory that earlier cells have left taken, or a signal from outside. The
    /// cell is tried once more then.
    pub(super) fn is_doubtful(&self, fresh: bool) -> bool {
        match self {
            Self::Memory => !fresh,
            Self::End(Some(status)) => is_from_outside(*status),
            _ => false,
        }
    }

    /// The cell's status and reason.
    pub(super) fn failure(self, limits: &Limits) -> Failure {
        let (status, reason) = match &self {
            Self::Time => {
                let limit = limits.time.expect("without a limit no cell passes it");
                let seconds = limit.as_secs_f64();
                let reason = format!("not done after {seconds} s, the run's limit for a cell");
                (Status::TimedOut, reason)
            }
            Self::Memory => {
                let limit = limits.memory.expect("without a limit no cell passes it");
                let reason = format!("its worker passed {limit} of memory, the run's limit");
                (Status::OutOfMemory, reason)
            }
            Self::Panic(message) => (Status::Failed, format!("panic: {message}")),
            Self::End(_) | Self::Noise(_) => {
                (Status::Crashed, format!("its worker {}", self.tale()))
            }
        };
        Failure { status, reason }
    }

    /// What the worker did.
    pub(super) fn tale(&self) -> String {
        match self {
            Self::Time => "took too long".to_owned(),
            Self::Memory => "took too much memory".to_owned(),
            Self::End(None) => "closed its output".to_owned(),
            Self::End(Some(status)) => end(*status),
            Self::Noise(noise) => format!("said what is no message, {noise}"),
            Self::Panic(message) => format!("panicked: {message}"),
        }
    }
}

#[cfg(unix)]
fn is_from_outside(status: ExitStatus) -> bool {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGKILL, SIGTERM};
    use std::os::unix::process::ExitStatusExt as _;
    let outside = |signal| [SIGHUP, SIGINT, SIGKILL, SIGTERM].contains(&signal);
    status.signal().is_some_and(outside)
}

#[cfg(not(unix))]
fn is_from_outside(_status: ExitStatus) -> bool {
    false
}

#[cfg(unix)]
fn end(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match status.signal() {
        Some(signal) => {
            let name = signal_hook::low_level::signal_name(signal);
            let name = name.map_or_else(|| format!("signal {signal}"), str::to_owned);
            format!("was ended by {name}")
        }
        None => exited(status),
    }
}

#[cfg(not(unix))]
fn end(status: ExitStatus) -> String {
    exited(status)
}

fn exited(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("ended with exit code {code}"),
        None => "ended".to_owned(),
    }
}
