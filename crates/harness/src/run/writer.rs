//! The thread that stores what ends.

use super::progress::Progress;
use super::schedule::Finished;
use super::stop::Stop;
use crate::store::{Record, ResultsFolder, StoreError};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// How often it looks whether a line of progress is due and the run is to go on.
const TICK: Duration = Duration::from_millis(100);

/// Stores what comes, until nothing more will, or `leaves` is asked to: then the run leaves from here.
///
/// # Errors
/// [`StoreError`] if it cannot be stored.
pub(super) fn write_each<R: Record>(
    receiver: &Receiver<Finished<R>>,
    folder: &ResultsFolder,
    leaves: Option<&Stop>,
    progress: &mut Progress,
) -> Result<(), StoreError> {
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(finished) => {
                folder.store_group(&finished.part, finished.worker, &finished.cells)?;
                progress.add(&finished.cells);
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(stop) = leaves.filter(|stop| stop.is_asked()) {
                    progress.finish();
                    stop.end(progress.stored(), progress.total());
                }
            }
        }
        progress.tick();
    }
}
