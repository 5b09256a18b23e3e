//! Ctrl-C and requests to end: what has ended is stored, and one line says how to go on.

use super::exit::{Ended, Exit};
use crate::run::{Stop, Stopped};
use crate::store::{GrowingFile, StoreError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What asks the run of this process to stop.
pub(super) static STOP: Stop = Stop::new(leave);

/// What is said where no run is under way in this process.
static TOLD: Mutex<String> = Mutex::new(String::new());

/// What is removed then: a file that is not yet in its place.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The file that will be at `path`, of which an interrupted process leaves nothing.
pub(super) fn begin_file(path: &Path) -> Result<GrowingFile, StoreError> {
    let mut unfinished = unfinished();
    let file = GrowingFile::create(path)?;
    *unfinished = Some(file.temporary().to_owned());
    Ok(file)
}

/// Moves `file` into its place. From then on an interrupted process says `told`.
pub(super) fn end_file(file: GrowingFile, told: &str) -> Result<(), StoreError> {
    let mut unfinished = unfinished();
    file.commit()?;
    *unfinished = None;
    say_when_interrupted(told.to_owned());
    Ok(())
}

/// From now on an interrupted process says this.
pub(super) fn say_when_interrupted(told: String) {
    *TOLD.lock().unwrap_or_else(PoisonError::into_inner) = told;
}

/// Waits for signals on a thread of its own. With no run under way, and at the second, the process ends at once: every
/// file is whole at any moment.
#[cfg(unix)]
pub(super) fn watch() -> Result<(), Ended> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]);
    let mut signals = signals
        .map_err(|error| Ended::new(Exit::Internal, format!("cannot wait for signals: {error}")))?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if !STOP.ask(signal) {
                // Held to the end, so that no file comes into its place meanwhile.
                let unfinished = unfinished();
                if let Some(path) = &*unfinished {
                    // That it cannot be removed is told by its being there.
                    let _ = std::fs::remove_file(path);
                }
                let told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
                let told = match told.as_str() {
                    "" => "the same command without --fresh goes on where it stopped",
                    told => told,
                };
                end(signal, told);
            }
        }
    });
    Ok(())
}

/// Elsewhere the system ends the process at once.
#[cfg(not(unix))]
pub(super) fn watch() -> Result<(), Ended> {
    Ok(())
}

fn leave(stopped: Stopped) -> ! {
    let Stopped { stored, total, .. } = stopped;
    let told = format!(
        "{stored} of {total} cells are stored, and the same command without --fresh goes on from there"
    );
    end(stopped.signal, &told)
}

/// Ends the process as shells expect after `signal`: 130 after SIGINT.
fn end(signal: i32, told: &str) -> ! {
    // Nobody listening is no reason to stay.
    let _ = writeln!(std::io::stderr(), "interrupted: {told}");
    std::process::exit(128 + signal)
}
