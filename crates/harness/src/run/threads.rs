//! Groups on a pool of threads.

use super::schedule::{Finished, Results, RunError};
use super::{Collect, Experiment};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `todo` on `threads` threads, each taking the next group when it has ended one, until all have or nobody listens.
pub(super) fn run_on_threads<E: Experiment>(
    experiment: &E,
    todo: &[(E::Group, Vec<String>)],
    threads: usize,
    results: &Results<E::Row>,
) -> Result<(), RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunError::Threads {
            threads,
            message: error.to_string(),
        })?;
    let next = AtomicUsize::new(0);
    pool.broadcast(|thread| {
        while let Some((group, wanted)) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut sink = Collect::new(wanted);
            experiment.run_group(*group, &mut sink);
            let finished = Finished {
                part: experiment.part(*group),
                worker: thread.index() as u32,
                cells: sink.results,
            };
            if results.send(finished).is_err() {
                return;
            }
        }
    });
    Ok(())
}
