//! Seconds per stage of a cell. They go to `timings.parquet` and nowhere near a result.

use crate::store::StageSeconds;
use std::time::Instant;

/// Collects the seconds of the cell at hand.
#[derive(Debug, Default)]
pub(crate) struct Stopwatch {
    current: StageSeconds,
}

impl Stopwatch {
    /// Runs `work` and adds its seconds to the field that `stage` picks.
    pub(crate) fn time<T>(
        &mut self,
        stage: impl FnOnce(&mut StageSeconds) -> &mut f64,
        work: impl FnOnce() -> T,
    ) -> T {
        let start = Instant::now();
        let result = work();
        *stage(&mut self.current) += start.elapsed().as_secs_f64();
        result
    }

    /// The seconds since the last call, and back to zero.
    pub(crate) fn take(&mut self) -> StageSeconds {
        std::mem::take(&mut self.current)
    }
}
