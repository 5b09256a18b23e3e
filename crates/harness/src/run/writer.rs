//! The thread that stores what ends.

use super::progress::Progress;
use super::stop::Stop;
use crate::store::{CellDone, Record, ResultsFolder, StoreError};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often it looks whether a line of progress is due and the run is to go on.
const TICK: Duration = Duration::from_millis(50);

/// The least time from one file to the next: cells that end meanwhile share one. A process that is killed loses the cells
/// at hand and those that have ended in this time.
const PAUSE: Duration = Duration::from_millis(250);

/// More cells than these are stored at once, whatever the time; as many may have ended meanwhile before others wait.
pub(super) const MANY: usize = 1000;

/// Stores what comes, until nothing more will, or `leaves` is asked to stop: then the run leaves from here.
///
/// # Errors
/// [`StoreError`] if it cannot be stored.
pub(super) fn write_each<R: Record>(
    receiver: &Receiver<CellDone<R>>,
    folder: &ResultsFolder,
    leaves: Option<&Stop>,
    progress: &mut Progress,
) -> Result<(), StoreError> {
    let mut waiting = Vec::new();
    let mut last: Option<Instant> = None;
    loop {
        let received = receiver.recv_timeout(TICK);
        let end = matches!(received, Err(RecvTimeoutError::Disconnected));
        waiting.extend(received);
        let left = leaves.filter(|stop| stop.is_asked());
        if left.is_some() {
            waiting.extend(receiver.try_iter());
        }
        let is_due = last.is_none_or(|last| last.elapsed() >= PAUSE);
        if end || left.is_some() || is_due || waiting.len() >= MANY {
            folder.store(&waiting)?;
            progress.add(&waiting);
            if !waiting.is_empty() {
                last = Some(Instant::now());
            }
            waiting.clear();
        }
        if let Some(stop) = left {
            progress.finish();
            stop.end(progress.stored(), progress.total());
        }
        if end {
            return Ok(());
        }
        progress.tick();
    }
}
