//! The worker's side: it plans, runs the groups it is handed, and ends with its parent.

use super::frame::{receive, send};
use super::message::{FromWorker, ToWorker};
use super::wire::{WirePoint, to_wire};
use crate::run::failure::panic_message;
use crate::run::memory::{own_bytes, peak_bytes, reset_peak, volunteer};
use crate::run::{CellSink, Experiment};
use crate::store::{CellResult, Record};
use std::collections::BTreeMap;
use std::io::{self, Stdout};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::exit;
use std::sync::mpsc::{self, Receiver};

/// A process that works for the one at the other end of its standard input and output. Nothing else may write to
/// standard output.
#[derive(Debug)]
pub struct Attached {
    inbox: Receiver<ToWorker>,
    out: Stdout,
    /// Where the experiment's file was read from.
    pub path: PathBuf,
    /// The experiment file's text.
    pub text: String,
}

/// Makes this process a worker. From here on it ends when its parent does, whatever it is at: a thread waits for the
/// end of standard input.
///
/// # Errors
/// If the first message is not the experiment.
pub fn attach() -> io::Result<Attached> {
    volunteer();
    let (sender, inbox) = mpsc::channel();
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(message)) = receive(&mut input) {
            // The receiver is gone when the process is about to end.
            let _ = sender.send(message);
        }
        exit(0);
    });
    let Ok(ToWorker::Plan { path, text }) = inbox.recv() else {
        return Err(unexpected("a worker is first told what to plan"));
    };
    Ok(Attached {
        inbox,
        out: io::stdout(),
        path,
        text,
    })
}

fn unexpected(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl Attached {
    /// Tells why the experiment cannot be planned, and ends with the parent.
    ///
    /// # Errors
    /// If the parent cannot be told.
    pub fn refuse(mut self, message: String) -> io::Result<()> {
        send(&mut self.out, &FromWorker::Refused { message })?;
        while self.inbox.recv().is_ok() {}
        Ok(())
    }

    /// Runs the groups of `experiment` that it is handed, until the parent ends.
    ///
    /// # Errors
    /// If the parent cannot be told.
    pub fn serve<E: Experiment>(mut self, experiment: &E) -> io::Result<()> {
        let groups = experiment.groups().into_iter();
        let groups: BTreeMap<String, E::Group> = groups
            .map(|group| (experiment.part(group), group))
            .collect();
        let manifest = experiment.manifest().to_text();
        send(&mut self.out, &FromWorker::Ready { manifest })?;
        while let Ok(message) = self.inbox.recv() {
            let ToWorker::Run { part, cells } = message else {
                return Err(unexpected("the experiment is planned already"));
            };
            let group = groups.get(&part);
            let group = *group.ok_or_else(|| unexpected("there is no such group"))?;
            reset_peak();
            let mut tell = Tell {
                wanted: &cells,
                start_bytes: own_bytes(),
                alone: experiment.measures_processes(),
                out: &mut self.out,
                told: Ok(()),
            };
            let run = || experiment.run_group(group, &mut tell);
            let ended = catch_unwind(AssertUnwindSafe(run));
            tell.told?;
            let last = match ended {
                Ok(()) => FromWorker::Ended,
                Err(panic) => FromWorker::Panicked {
                    message: panic_message(&*panic).to_owned(),
                },
            };
            send(&mut self.out, &last)?;
        }
        Ok(())
    }
}

/// Tells the parent of each cell; after the first message that cannot be sent, nothing is wanted any more.
struct Tell<'a> {
    wanted: &'a [String],
    start_bytes: Option<u64>,
    /// Whether memory is counted from where the cell begins: what its group does before is not the cell's.
    alone: bool,
    out: &'a mut Stdout,
    told: io::Result<()>,
}

impl Tell<'_> {
    fn tell(&mut self, message: &FromWorker) {
        if self.told.is_ok() {
            self.told = send(self.out, message);
        }
    }
}

impl<R: Record> CellSink<R> for Tell<'_> {
    fn wants(&self, id: &str) -> bool {
        self.told.is_ok() && self.wanted.iter().any(|wanted| wanted == id)
    }

    fn begin(&mut self, id: &str) {
        if self.alone {
            reset_peak();
            self.start_bytes = own_bytes();
        }
        self.tell(&FromWorker::Begun { id: id.to_owned() });
    }

    fn finish(&mut self, result: CellResult<R>) {
        // What telling takes is not the cell's.
        let peak = peak_bytes();
        match to_wire(&result.row) {
            Ok(row) => self.tell(&FromWorker::Finished {
                row,
                seconds: result.seconds,
                trace: result.trace.iter().map(WirePoint::of).collect(),
                start_bytes: self.start_bytes,
                peak_bytes: peak,
            }),
            Err(error) => self.told = Err(io::Error::other(error)),
        }
    }
}
