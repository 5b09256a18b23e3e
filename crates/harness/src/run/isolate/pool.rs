//! Groups in worker processes, a thread to watch over each.

use super::supervise::Supervisor;
use super::{Isolation, IsolationError};
use crate::run::Experiment;
use crate::run::schedule::Results;
use crate::run::stop::Stop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

/// Whether workers for `experiment` can be had within the limits: one is started, and ended when it is ready.
///
/// # Errors
/// [`IsolationError`] if none can.
pub fn try_worker<E: Experiment>(
    experiment: &E,
    isolation: &Isolation,
    stop: Option<&Stop>,
) -> Result<(), IsolationError> {
    Supervisor::new(experiment, isolation, stop, 0).try_start()
}

/// Runs `todo` in `workers` processes, each taking the next group when it has ended one, until all have, the run is
/// asked to stop, or nobody listens. Every process has ended when this returns.
///
/// # Errors
/// [`IsolationError`] if workers cannot be had.
pub(in crate::run) fn run_isolated<E: Experiment>(
    experiment: &E,
    todo: &[(E::Group, Vec<String>)],
    workers: usize,
    isolation: &Isolation,
    stop: Option<&Stop>,
    results: &Results<E::Row>,
) -> Result<(), IsolationError> {
    let next = AtomicUsize::new(0);
    let watch = |worker: usize, results: Results<E::Row>| {
        let mut supervisor = Supervisor::new(experiment, isolation, stop, worker as u32);
        let mut is_heard = true;
        while let Some((group, wanted)) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut done = |cell| is_heard = results.send(cell).is_ok();
            supervisor.run_group(*group, wanted, &mut done)?;
            if !is_heard || stop.is_some_and(Stop::is_asked) {
                break;
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let (next, watch) = (&next, &watch);
        let of = |worker| {
            let results = results.clone();
            scope.spawn(move || {
                let ended = watch(worker, results);
                if ended.is_err() {
                    next.fetch_add(todo.len(), Ordering::Relaxed);
                }
                ended
            })
        };
        let threads: Vec<_> = (0..workers).map(of).collect();
        let ends = threads.into_iter().map(ScopedJoinHandle::join);
        let ends: Vec<_> = ends
            .map(|end| end.expect("a watch does not panic"))
            .collect();
        ends.into_iter().collect()
    })
}
