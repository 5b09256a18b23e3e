//! How a run is asked to stop before its end.

use std::sync::atomic::{AtomicI32, Ordering};

/// A request to stop, by a signal: set by whoever waits for signals, looked at by the run. What has ended is stored, then
/// the run leaves; threads at work on cells are not waited for.
#[derive(Debug)]
pub struct Stop {
    /// [`NO_RUN`], [`RUNNING`] or the signal.
    state: AtomicI32,
    leave: fn(Stopped) -> !,
}

const NO_RUN: i32 = 0;
const RUNNING: i32 = -1;

/// Where a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped {
    /// The signal's number.
    pub signal: i32,
    /// Cells that are stored.
    pub stored: usize,
    /// Cells of the run.
    pub total: usize,
}

impl Stop {
    /// A run that is asked to stop ends in `leave`.
    pub const fn new(leave: fn(Stopped) -> !) -> Self {
        Self {
            state: AtomicI32::new(NO_RUN),
            leave,
        }
    }

    /// Asks the run under way to stop because of `signal` (> 0). `false` if there is none that could, or it was asked
    /// before.
    pub fn ask(&self, signal: i32) -> bool {
        let state = &self.state;
        let asked = state.compare_exchange(RUNNING, signal, Ordering::SeqCst, Ordering::SeqCst);
        asked.is_ok()
    }

    /// Whether the run is asked to stop.
    pub(super) fn is_asked(&self) -> bool {
        self.state.load(Ordering::SeqCst) > NO_RUN
    }

    /// From here on the run looks whether it is asked.
    pub(super) fn begin(&self) {
        self.state.store(RUNNING, Ordering::SeqCst);
    }

    /// The run no longer looks; it leaves if it was asked.
    pub(super) fn end(&self, stored: usize, total: usize) {
        let signal = self.state.swap(NO_RUN, Ordering::SeqCst);
        if signal > NO_RUN {
            (self.leave)(Stopped {
                signal,
                stored,
                total,
            });
        }
    }
}
