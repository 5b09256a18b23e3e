//! The parent's hold of one worker process.

use super::WorkerCommand;
use super::frame::{receive, send};
use super::message::{FromWorker, ToWorker};
use crate::run::memory::resident_bytes;
use std::io::{self, BufReader};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// A worker. It is killed when this is dropped.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    heard: Receiver<io::Result<FromWorker>>,
    /// Whether it has ended no cell yet.
    pub(super) fresh: bool,
}

/// What comes of listening to a worker.
pub(super) enum Heard {
    /// A message.
    Message(FromWorker),
    /// Something that is none.
    Noise(io::Error),
    /// Nothing in the time given.
    Nothing,
    /// It has closed its output: it has ended, or is about to.
    End,
}

impl Process {
    pub(super) fn start(command: &WorkerCommand) -> io::Result<Self> {
        let mut child = command.start()?;
        let input = child.stdin.take().expect("standard input is a pipe");
        let output = child.stdout.take().expect("standard output is a pipe");
        let (sender, heard) = mpsc::channel();
        std::thread::spawn(move || listen(output, &sender));
        Ok(Self {
            child,
            input,
            heard,
            fresh: true,
        })
    }

    /// Sends `message`. That a worker has ended is heard, not told here.
    pub(super) fn tell(&mut self, message: &ToWorker) {
        let _ = send(&mut self.input, message);
    }

    /// Listens for as long as `patience`.
    pub(super) fn hear(&self, patience: Duration) -> Heard {
        match self.heard.recv_timeout(patience) {
            Ok(Ok(message)) => Heard::Message(message),
            Ok(Err(noise)) => Heard::Noise(noise),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Its resident memory in bytes.
    pub(super) fn resident_bytes(&self) -> Option<u64> {
        resident_bytes(self.child.id())
    }

    /// How it ended by itself; `None` if it has closed its output and goes on for a second.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        for _ in 0..100 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail where it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands on what a worker says, until it ends, says something that is no message, or nobody listens.
fn listen(output: ChildStdout, sender: &mpsc::Sender<io::Result<FromWorker>>) {
    let mut output = BufReader::new(output);
    loop {
        let Some(heard) = receive(&mut output).transpose() else {
            return;
        };
        let end = heard.is_err();
        if sender.send(heard).is_err() || end {
            return;
        }
    }
}
