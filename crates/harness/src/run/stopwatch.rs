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

    /// The seconds since the last call, and back to zero.
    pub(crate) fn take(&mut self) -> StageSeconds {
        let Self { current, processor } = std::mem::take(self);
        StageSeconds {
            processor: processor.kernels(),
            ..current
        }
    }
}
