//! One worker after another, and the groups they are handed.

use super::fault::Fault;
use super::listen::{ASLEEP, End, GLANCE, Listener};
use super::message::{FromWorker, ToWorker};
use super::process::{Heard, Process};
use super::{Bytes, Isolation};
use crate::run::Experiment;
use crate::run::stop::Stop;
use crate::store::{CellDone, CellResult, Manifest, StageSeconds};
use std::time::{Duration, Instant};

/// So often in a row a worker may end before it is ready.
const STARTS: usize = 3;

/// Why cells cannot be run in workers.
#[derive(Debug, thiserror::Error)]
pub enum IsolationError {
    /// A worker could not be started.
    #[error("cannot start a worker process: {0}")]
    Start(std::io::Error),
    /// Workers do not get as far as their first cell.
    #[error("{STARTS} worker processes have ended before their first cell; the last {0}")]
    Never(String),
    /// A worker's plan is not its parent's.
    #[error(
        "a worker process cannot plan the experiment as this one did: {0}\n  \
         = help: leave the data as they are while the experiment runs"
    )]
    Plan(String),
    /// A worker does not get ready.
    #[error(
        "a worker process has not planned the experiment after {} s\n  \
         = help: give --start-seconds more, or see what keeps it from reading the data",
        limit.as_secs_f64()
    )]
    Late {
        /// The limit.
        limit: Duration,
    },
    /// The limit of memory leaves nothing for cells.
    #[error(
        "a worker process takes {needed} of memory before its first cell, and the limit is {limit}\n  \
         = help: give --memory-limit more"
    )]
    Memory {
        /// What it takes.
        needed: Bytes,
        /// The limit.
        limit: Bytes,
    },
}

/// Hands groups to a worker process, and to the next if it ends.
pub(in crate::run) struct Supervisor<'a, E> {
    experiment: &'a E,
    isolation: &'a Isolation,
    stop: Option<&'a Stop>,
    /// The worker's index.
    index: u32,
    /// What the results are made from.
    manifest: Manifest,
    process: Option<Process>,
}

impl<'a, E: Experiment> Supervisor<'a, E> {
    pub(in crate::run) fn new(
        experiment: &'a E,
        isolation: &'a Isolation,
        stop: Option<&'a Stop>,
        index: u32,
    ) -> Self {
        Self {
            experiment,
            isolation,
            stop,
            index,
            manifest: experiment.manifest(),
            process: None,
        }
    }

    /// Runs the cells `wanted` of `group`, each handed to `done`; not all if the run is asked to stop.
    ///
    /// # Errors
    /// [`IsolationError`] if no worker can be had. What goes wrong in one is told of the cell.
    pub(in crate::run) fn run_group(
        &mut self,
        group: E::Group,
        wanted: &[String],
        done: &mut dyn FnMut(CellDone<E::Row>),
    ) -> Result<(), IsolationError> {
        let mut left = wanted.to_vec();
        // The cell that is tried once more.
        let mut again: Option<String> = None;
        while !left.is_empty() {
            let Some(mut process) = self.worker()? else {
                return Ok(());
            };
            process.tell(&ToWorker::Run {
                part: self.experiment.part(group),
                cells: left.clone(),
            });
            let fresh = process.fresh;
            let mut listener = Listener {
                limits: &self.isolation.limits,
                stop: self.stop,
                left: &mut left,
                done,
                worker: self.index,
                listened: Instant::now(),
                at: None,
                since: Instant::now(),
                looked: Instant::now(),
            };
            let end = listener.until_end(&mut process);
            let at = listener.at.take();
            let fault = match end {
                End::Well => {
                    self.keep(process);
                    return Ok(());
                }
                End::Stopped => return Ok(()),
                End::Badly(fault) => fault,
            };
            let fresh = fresh && process.fresh;
            if matches!(fault, Fault::Panic(_)) {
                self.keep(process);
            }
            // Before its first cell begins, a worker is at what the next one needs.
            let Some(id) = at.or_else(|| left.first().cloned()) else {
                return Ok(());
            };
            if fault.is_doubtful(fresh) && again.as_ref() != Some(&id) {
                again = Some(id);
                continue;
            }
            left.retain(|other| *other != id);
            done(self.unmeasured(group, &id, fault));
        }
        Ok(())
    }

    /// Keeps a worker for what comes next, unless each group has one of its own.
    fn keep(&mut self, process: Process) {
        if !self.experiment.measures_processes() {
            self.process = Some(process);
        }
    }

    /// What is told of the cell `id` of `group`, at which a worker went wrong.
    fn unmeasured(&self, group: E::Group, id: &str, fault: Fault) -> CellDone<E::Row> {
        let cells = self.experiment.cells(group);
        let position = cells.iter().position(|cell| cell.id == id);
        let position = position.expect("a cell of the group");
        let failure = fault.failure(&self.isolation.limits);
        CellDone {
            result: CellResult {
                row: self.experiment.unmeasured(group, position, failure),
                seconds: StageSeconds::default(),
                trace: Vec::new(),
            },
            start_bytes: None,
            peak_bytes: None,
            worker: self.index,
        }
    }

    /// Whether workers can be had: one is started, and ended when it is ready.
    ///
    /// # Errors
    /// [`IsolationError`] if none can.
    pub(in crate::run) fn try_start(mut self) -> Result<(), IsolationError> {
        self.worker().map(drop)
    }

    /// The worker at hand, or a new one that is ready; `None` if the run is asked to stop.
    fn worker(&mut self) -> Result<Option<Process>, IsolationError> {
        if let Some(process) = self.process.take() {
            return Ok(Some(process));
        }
        let mut last = String::new();
        for _ in 0..STARTS {
            let mut process =
                Process::start(&self.isolation.command).map_err(IsolationError::Start)?;
            let file = self.experiment.file();
            process.tell(&ToWorker::Plan {
                path: file.path.clone(),
                text: file.text.clone(),
            });
            let (mut waited, mut listened) = (Duration::ZERO, Instant::now());
            let fault = loop {
                // No more than a moment each time: this process may have been stopped itself.
                waited += listened.elapsed().min(ASLEEP);
                listened = Instant::now();
                if let Some(limit) = self.isolation.limits.start.filter(|limit| waited > *limit) {
                    return Err(IsolationError::Late { limit });
                }
                if self.stop.is_some_and(Stop::is_asked) {
                    return Ok(None);
                }
                match process.hear(GLANCE) {
                    Heard::Nothing => {}
                    Heard::Message(FromWorker::Ready { manifest }) => {
                        self.check(&process, &manifest)?;
                        return Ok(Some(process));
                    }
                    Heard::Message(FromWorker::Refused { message }) => {
                        return Err(IsolationError::Plan(message));
                    }
                    Heard::Message(message) => break Fault::Noise(format!("{message:?}")),
                    Heard::Noise(noise) => break Fault::Noise(noise.to_string()),
                    Heard::End => break Fault::End(process.ended()),
                }
            };
            last = fault.tale();
        }
        Err(IsolationError::Never(last))
    }

    /// Checks a worker that is ready: its plan is of the same experiment, code and data, and it is within its memory.
    fn check(&self, process: &Process, manifest: &str) -> Result<(), IsolationError> {
        let manifest: Manifest =
            toml::from_str(manifest).map_err(|error| IsolationError::Plan(error.to_string()))?;
        let differences = self.manifest.differences(&manifest);
        if !differences.is_empty() {
            let differences = differences.join(", another ");
            return Err(IsolationError::Plan(format!(
                "it has another {differences}"
            )));
        }
        let needed = process.resident_bytes().map(Bytes);
        match (self.isolation.limits.memory, needed) {
            (Some(limit), Some(needed)) if needed > limit => {
                Err(IsolationError::Memory { needed, limit })
            }
            _ => Ok(()),
        }
    }
}
