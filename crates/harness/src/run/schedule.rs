//! The whole experiment: groups on threads or in worker processes, each cell stored as it ends.

use super::Experiment;
use super::isolate::{Isolation, IsolationError, run_isolated};
use super::progress::{Progress, Show};
use super::stop::Stop;
use super::threads::run_on_threads;
use super::todo::{Todo, works};
use super::writer::{MANY, write_each};
use crate::store::{CellDone, ResultsFolder, StoreError, Tally};
use std::sync::mpsc::{self, SyncSender};

/// How a run goes about it; nothing here changes the row of a cell that meets no limit.
#[derive(Debug, Clone, Copy)]
pub struct RunOptions<'a> {
    /// Worker threads, or processes.
    pub threads: usize,
    /// How progress is shown.
    pub show: Show,
    /// Worker processes in the place of threads.
    pub isolation: Option<&'a Isolation>,
    /// What can ask the run to stop.
    pub stop: Option<&'a Stop>,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct RunSummary<R> {
    /// How all cells that are there ended.
    pub tally: Tally<R>,
    /// Cells that were there before.
    pub continued: usize,
    /// Seconds on processors inside feature maps, bounds, solvers, attack and certificates, in this run.
    pub kernel_seconds: f64,
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
    /// Worker processes cannot be had.
    #[error(transparent)]
    Isolation(#[from] IsolationError),
}

/// Runs the cells `todo` of `experiment`, storing them in `folder` as they end, and joins all that are there
/// into `cells.parquet` and `timings.parquet`.
///
/// # Errors
/// [`RunError`] if results cannot be stored or workers cannot be had; cells that go wrong are rows, not errors.
pub fn run_experiment<E: Experiment>(
    experiment: &E,
    folder: &ResultsFolder,
    todo: Todo<E::Group>,
    options: RunOptions<'_>,
) -> Result<RunSummary<E::Row>, RunError> {
    log::info!("{} cells, {} of them there", todo.asked, todo.there);
    let name = experiment.name();
    let mut progress = Progress::start(options.show, name, todo.asked, todo.there);
    let ran = run_groups(experiment, folder, &todo.groups, options, &mut progress);
    progress.finish();
    ran?;
    // The list is long, and what follows needs the room.
    drop(todo.groups);
    let tally = folder.join(&works(experiment))?;
    Ok(RunSummary {
        tally,
        continued: todo.there,
        kernel_seconds: progress.processor_seconds(),
    })
}

/// Where cells go when they have ended. Sending waits while too many are to be stored, and fails once the writer has stopped on an error, which ends the run.
pub(super) type Results<R> = SyncSender<CellDone<R>>;

/// Runs the groups `todo`, of each the cells with these identities. What ends is stored on a thread of its own: polars has
/// a pool too, and a worker of ours that waited for it would run another group in the middle of storing one.
fn run_groups<E: Experiment>(
    experiment: &E,
    folder: &ResultsFolder,
    todo: &[(E::Group, Vec<String>)],
    options: RunOptions<'_>,
    progress: &mut Progress,
) -> Result<(), RunError> {
    let (sender, receiver) = mpsc::sync_channel(MANY);
    // Threads at work on cells cannot be stopped: the writer leaves, and the process with it.
    let leaves = options.stop.filter(|_| options.isolation.is_none());
    if let Some(stop) = options.stop {
        stop.begin();
    }
    let (ran, stored) = std::thread::scope(|scope| {
        let shown = &mut *progress;
        let writer = scope.spawn(move || write_each::<E::Row>(&receiver, folder, leaves, shown));
        let ran = match options.isolation {
            None => run_on_threads(experiment, todo, options.threads, &sender),
            Some(isolation) => {
                let threads = options.threads.min(todo.len());
                run_isolated(experiment, todo, threads, isolation, options.stop, &sender)
                    .map_err(RunError::from)
            }
        };
        // Nothing more will come: the writer ends.
        drop(sender);
        (ran, writer.join().expect("the writer does not panic"))
    });
    if let Some(stop) = options.stop {
        stop.end(progress.stored(), progress.total());
    }
    stored?;
    ran
}
