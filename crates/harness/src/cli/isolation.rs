//! The arguments of isolation.

use super::exit::{Ended, Exit};
use super::worker::worker_command;
use crate::run::{Bytes, Isolation, Limits};
use clap::Args;
use std::time::Duration;

#[derive(Debug, Args)]
pub(super) struct IsolationArguments {
    /// Run cells in worker processes: one that crashes costs itself alone
    #[arg(long)]
    isolate: bool,
    /// The most seconds of a cell; implies --isolate
    #[arg(long, value_name = "S", value_parser = seconds)]
    cell_seconds: Option<Duration>,
    /// The most memory of a worker process, for example 2GiB; implies --isolate (Linux)
    #[arg(long, value_name = "SIZE")]
    memory_limit: Option<Bytes>,
    /// The most seconds of a worker process before its first cell, in which it plans the experiment;
    /// implies --isolate [default: 600 where cells have a limit]
    #[arg(long, value_name = "S", value_parser = seconds)]
    start_seconds: Option<Duration>,
}

/// What a worker may take to plan, where nothing is said and cells have a limit: reading the data takes seconds.
const START: Duration = Duration::from_mins(10);

impl IsolationArguments {
    /// As words of a command line that asks for the same.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.isolate {
            words.push("--isolate".to_owned());
        }
        let seconds = [
            ("--cell-seconds", self.cell_seconds),
            ("--start-seconds", self.start_seconds),
        ];
        for (option, seconds) in seconds {
            words.extend(seconds.map(|seconds| format!("{option}={}", seconds.as_secs_f64())));
        }
        words.extend(
            self.memory_limit
                .map(|limit| format!("--memory-limit={}B", limit.0)),
        );
        words
    }

    /// What is asked for, if anything is.
    pub(super) fn isolation(&self) -> Result<Option<Isolation>, Ended> {
        let mut limits = Limits {
            time: self.cell_seconds,
            memory: self.memory_limit,
            start: self.start_seconds,
        };
        if !self.isolate && limits == Limits::default() {
            return Ok(None);
        }
        if limits.memory.is_some() && cfg!(not(target_os = "linux")) {
            let message = "--memory-limit: the memory of worker processes is told on Linux only";
            return Err(Ended::new(Exit::BadInput, message));
        }
        if limits.time.is_some() || limits.memory.is_some() {
            limits.start = limits.start.or(Some(START));
        }
        Ok(Some(Isolation {
            command: worker_command()?,
            limits,
        }))
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let help = "expected a number of seconds above 0, for example 60 or 0.5";
    let seconds: f64 = text.parse().map_err(|_| help)?;
    if seconds > 0.0 && seconds <= 1e9 {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(help.into())
    }
}
