//! Seconds per stage of a cell. They go to `timings.parquet` and nowhere near a result.

use super::processor::thread_seconds;
use crate::store::StageSeconds;
use std::time::Instant;

/// Collects the seconds of the cell at hand.
#[derive(Debug, Default)]
pub(crate) struct Stopwatch {
    current: StageSeconds,
    /// The same by the thread's time on a processor; zero where the system does not say.
    processor: StageSeconds,
}

impl Stopwatch {
    /// Runs `work` and adds its seconds to the field that `stage` picks.
    pub(crate) fn time<T>(
        &mut self,
        stage: impl Fn(&mut StageSeconds) -> &mut f64,
        work: impl FnOnce() -> T,
    ) -> T {
        let (start, before) = (Instant::now(), thread_seconds());
        let result = work();
        *stage(&mut self.current) += start.elapsed().as_secs_f64();
        if let (Some(before), Some(after)) = (before, thread_seconds()) {
            *stage(&mut self.processor) += after - before;
        }
        result
    }

    /// Takes what `inner` timed as preparing out of the stage that `stage` picks, inside of which it ran.
    pub(crate) fn set_apart(
        &mut self,
        stage: impl Fn(&mut StageSeconds) -> &mut f64,
        inner: &Self,
    ) {
        *stage(&mut self.current) -= inner.current.prepare;
        *stage(&mut self.processor) -= inner.processor.prepare;
        self.add(inner);
    }

    /// Adds what `other` timed as preparing.
    pub(crate) fn add(&mut self, other: &Self) {
        self.current.prepare += other.current.prepare;
        self.processor.prepare += other.processor.prepare;
    }

    /// The seconds since the last call, and back to zero.
    pub(crate) fn take(&mut self) -> StageSeconds {
        let Self { current, processor } = std::mem::take(self);
        StageSeconds {
            processor: processor.kernels(),
            ..current
        }
    }
}
