//! Groups on a pool of threads.

use super::memory::peak_bytes;
use super::schedule::{Results, RunError};
use super::{CellSink, Experiment, run_group_told};
use crate::store::{CellDone, CellResult};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `todo` on `threads` threads, each taking the next group when it has ended one, until all have or nobody listens.
///
/// # Errors
/// [`RunError`] if the threads cannot be had.
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
            let mut hand = Hand {
                wanted: wanted.iter().map(String::as_str).collect(),
                worker: thread.index() as u32,
                results,
                is_heard: true,
            };
            run_group_told(experiment, *group, &mut hand);
            if !hand.is_heard {
                return;
            }
        }
    });
    Ok(())
}

/// Hands cells to the writer; once it has stopped, none is wanted.
struct Hand<'a, R> {
    wanted: BTreeSet<&'a str>,
    worker: u32,
    results: &'a Results<R>,
    is_heard: bool,
}

impl<R> CellSink<R> for Hand<'_, R> {
    fn wants(&self, id: &str) -> bool {
        self.is_heard && self.wanted.contains(id)
    }

    fn begin(&mut self, _id: &str) {}

    fn finish(&mut self, result: CellResult<R>) {
        let done = CellDone {
            result,
            start_bytes: None,
            peak_bytes: peak_bytes(),
            worker: self.worker,
        };
        self.is_heard = self.results.send(done).is_ok();
    }
}
