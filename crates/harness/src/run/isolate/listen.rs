//! Listening to a worker while it runs the cells of a group.

use super::Limits;
use super::fault::Fault;
use super::message::FromWorker;
use super::process::{Heard, Process};
use super::wire::{WireColumn, WirePoint, from_wire};
use crate::run::stop::Stop;
use crate::store::{CellDone, CellResult, Record};
use std::time::{Duration, Instant};

/// So long a worker that says nothing is not looked at; a cell may pass a limit by that much, and by what it allocates
/// in that time.
pub(super) const GLANCE: Duration = Duration::from_millis(20);

/// A watch that has not looked for so long was stopped itself, as by Ctrl-Z.
pub(super) const ASLEEP: Duration = Duration::from_secs(1);

/// How a worker's time at a group ended.
pub(super) enum End {
    /// The worker says so.
    Well,
    /// The run is asked to stop.
    Stopped,
    /// Something went wrong.
    Badly(Fault),
}

/// What listens.
pub(super) struct Listener<'a, R> {
    pub(super) limits: &'a Limits,
    pub(super) stop: Option<&'a Stop>,
    /// The cells that have not ended.
    pub(super) left: &'a mut Vec<String>,
    /// Takes those that have.
    pub(super) done: &'a mut dyn FnMut(CellDone<R>),
    /// The worker's index.
    pub(super) worker: u32,
    /// When it listened last.
    pub(super) listened: Instant,
    /// The cell at hand.
    pub(super) at: Option<String>,
    /// Since when it is, or since when there is none; later by the time that the watch was stopped.
    pub(super) since: Instant,
    /// When the worker's memory was looked at last.
    pub(super) looked: Instant,
}

impl<R: Record> Listener<'_, R> {
    /// Listens to `process` until the group has ended in some way.
    pub(super) fn until_end(&mut self, process: &mut Process) -> End {
        loop {
            let heard = process.hear(GLANCE);
            self.forgive();
            let fault = match heard {
                Heard::Message(FromWorker::Ended) => return self.ended(),
                Heard::Message(FromWorker::Panicked { message }) => Some(Fault::Panic(message)),
                Heard::Message(FromWorker::Begun { id }) => self.begin(id).err(),
                Heard::Message(FromWorker::Finished {
                    row,
                    seconds,
                    trace,
                    start_bytes,
                    peak_bytes,
                }) => {
                    process.fresh = false;
                    let row = self.row(row);
                    let trace = trace.iter().map(WirePoint::point).collect();
                    let result = row.map(|row| CellResult {
                        row,
                        seconds,
                        trace,
                    });
                    let bytes = (start_bytes, peak_bytes);
                    result.map(|result| self.finish(result, bytes)).err()
                }
                Heard::Message(message) => Some(Fault::Noise(format!("{message:?}"))),
                Heard::Noise(noise) => Some(Fault::Noise(noise.to_string())),
                Heard::End => Some(Fault::End(process.ended())),
                Heard::Nothing => None,
            };
            if let Some(fault) = fault.or_else(|| self.passed(process)) {
                return End::Badly(fault);
            }
            if self.stop.is_some_and(Stop::is_asked) {
                return End::Stopped;
            }
        }
    }

    fn ended(&self) -> End {
        if self.left.is_empty() {
            End::Well
        } else {
            End::Badly(Fault::Noise("the end of a group that has not ended".into()))
        }
    }

    fn begin(&mut self, id: String) -> Result<(), Fault> {
        if self.at.is_some() || !self.left.contains(&id) {
            return Err(Fault::Noise(format!("the beginning of cell {id}")));
        }
        (self.at, self.since) = (Some(id), Instant::now());
        Ok(())
    }

    /// The row that the worker gives of the cell at hand.
    fn row(&self, row: Vec<WireColumn>) -> Result<R, Fault> {
        let row: R = from_wire(row).map_err(|error| Fault::Noise(error.to_string()))?;
        if self.at.as_deref() == Some(row.cell_id()) {
            Ok(row)
        } else {
            Err(Fault::Noise(format!("the end of cell {}", row.cell_id())))
        }
    }

    fn finish(
        &mut self,
        result: CellResult<R>,
        (start_bytes, peak_bytes): (Option<u64>, Option<u64>),
    ) {
        self.left.retain(|id| id != result.row.cell_id());
        (self.at, self.since) = (None, Instant::now());
        (self.done)(CellDone {
            result,
            start_bytes,
            peak_bytes,
            worker: self.worker,
        });
    }

    /// Counts no time in which the watch was stopped: what the worker did meanwhile is not heard yet.
    fn forgive(&mut self) {
        let away = self.listened.elapsed();
        if away > ASLEEP {
            self.since += away;
        }
        self.listened = Instant::now();
    }

    /// The limit that the worker has passed.
    fn passed(&mut self, process: &Process) -> Option<Fault> {
        let is_late = |limit| self.since.elapsed() > limit;
        if self.limits.time.is_some_and(is_late) {
            return Some(Fault::Time);
        }
        let limit = self.limits.memory?;
        if self.looked.elapsed() < GLANCE {
            return None;
        }
        self.looked = Instant::now();
        let taken = process.resident_bytes()?;
        (taken > limit.0).then_some(Fault::Memory)
    }
}
