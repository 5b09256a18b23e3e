//! Groups on a pool of threads.

use super::schedule::{Finished, Results, RunError, Todo};
use super::{Collect, Experiment};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `todo` on `threads` threads, each taking the next group when it has ended one, until all have or nobody listens.
pub(super) fn run_on_threads<E: Experiment>(
    experiment: &E,
    todo: &[Todo<E::Group>],
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
        while let Some(todo) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut sink = Collect::new(&todo.wanted);
            experiment.run_group(todo.group, &mut sink);
            let finished = Finished {
                part: experiment.part(todo.group),
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
