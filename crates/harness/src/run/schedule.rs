//! The whole experiment: groups on a thread pool, each stored as it ends.

use super::progress::{Progress, Show};
use super::{Collect, Experiment};
use crate::store::{CellResult, Record, ResultsFolder, Status, StoreError};
use rayon::prelude::*;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How a run goes about it; nothing here changes a result.
#[derive(Debug, Clone, Copy)]
pub struct RunOptions {
    /// Worker threads.
    pub threads: usize,
    /// How progress is shown.
    pub show: Show,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct RunSummary<R> {
    /// All rows, sorted by cell id.
    pub rows: Vec<R>,
    /// Cells that were there before.
    pub continued: usize,
}

impl<R: Record> RunSummary<R> {
    /// The number of cells with `status`.
    pub fn count(&self, status: Status) -> usize {
        let rows = self.rows.iter();
        rows.filter(|row| row.status() == status).count()
    }
}

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The results could not be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The thread pool could not be made.
    #[error("cannot start {threads} threads: {message}")]
    Threads {
        /// The threads asked for.
        threads: usize,
        /// What the system says.
        message: String,
    },
}

/// Runs the groups of `experiment` that `folder` does not have yet, storing each as it ends, and joins all
/// into `cells.parquet` and `timings.parquet`.
///
/// # Errors
/// [`RunError`] if results cannot be stored; cells that go wrong are rows, not errors.
pub fn run_experiment<E: Experiment>(
    experiment: &E,
    folder: &ResultsFolder,
    options: RunOptions,
) -> Result<RunSummary<E::Row>, RunError> {
    let groups = experiment.groups();
    let joined = folder.joined_ids::<E::Row>()?;
    let (mut todo, mut total, mut continued) = (Vec::new(), 0, 0);
    for &group in &groups {
        let cells = experiment.cells(group);
        total += cells.len();
        if folder.has_part(&experiment.part(group)) {
            continued += cells.len();
            continue;
        }
        let ids = cells.into_iter().map(|cell| cell.id);
        let (there, wanted): (Vec<String>, Vec<String>) = ids.partition(|id| joined.contains(id));
        continued += there.len();
        if !wanted.is_empty() {
            todo.push((group, wanted));
        }
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| RunError::Threads {
            threads: options.threads,
            message: error.to_string(),
        })?;
    let mut progress = Progress::start(options.show, experiment.name(), total, continued);
    let stored = run_groups(experiment, folder, &todo, &pool, &mut progress);
    progress.finish();
    stored?;
    let parts: Vec<String> = groups.iter().map(|g| experiment.part(*g)).collect();
    let rows = folder.join(&parts)?;
    Ok(RunSummary { rows, continued })
}

/// The results of a group: its part, the worker that ran it, its rows.
type Finished<E> = (String, u32, Vec<CellResult<<E as Experiment>::Row>>);

/// Runs the groups `todo`, of each the cells with these identities, on `pool`, and stores each as it ends on a thread of its own: polars has a pool too,
/// and a worker of ours that waited for it would run another group in the middle of storing one.
fn run_groups<E: Experiment>(
    experiment: &E,
    folder: &ResultsFolder,
    todo: &[(E::Group, Vec<String>)],
    pool: &rayon::ThreadPool,
    progress: &mut Progress,
) -> Result<(), StoreError> {
    let (sender, receiver) = mpsc::channel::<Finished<E>>();
    std::thread::scope(|scope| {
        let writer = scope.spawn(move || store_each::<E>(&receiver, folder, progress));
        // Sending fails once the writer has stopped on an error, which ends the run.
        let sent = pool.install(|| {
            todo.par_iter()
                .try_for_each_with(sender, |sender, (group, wanted)| {
                    let mut sink = Collect::new(wanted);
                    experiment.run_group(*group, &mut sink);
                    let worker = rayon::current_thread_index().unwrap_or(0) as u32;
                    sender.send((experiment.part(*group), worker, sink.results))
                })
        });
        let stored = writer.join().expect("the writer does not panic");
        debug_assert!(
            sent.is_ok() || stored.is_err(),
            "the writer stops on errors only"
        );
        stored
    })
}

/// How often the writer looks whether a line of progress is due.
const TICK: Duration = Duration::from_secs(1);

/// Stores the groups that come, until no more will.
fn store_each<E: Experiment>(
    receiver: &mpsc::Receiver<Finished<E>>,
    folder: &ResultsFolder,
    progress: &mut Progress,
) -> Result<(), StoreError> {
    loop {
        match receiver.recv_timeout(TICK) {
            Ok((part, worker, results)) => {
                folder.store_group(&part, worker, &results)?;
                progress.add(results.len());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        progress.tick();
    }
}
