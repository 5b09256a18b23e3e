//! The whole experiment: groups on a thread pool, each stored as it ends.

use super::group::run_group;
use crate::plan::{GroupKey, Plan};
use crate::store::{CellRow, ResultsFolder, StageSeconds, Status, StoreError};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::sync::mpsc;
use std::time::Duration;

/// How a run goes about it; nothing here changes a result.
#[derive(Debug, Clone, Copy)]
pub struct RunOptions {
    /// Worker threads.
    pub threads: usize,
    /// Whether to draw a progress bar.
    pub progress: bool,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct RunSummary {
    /// All rows, sorted by cell id.
    pub rows: Vec<CellRow>,
    /// Cells that were there before.
    pub continued: usize,
}

impl RunSummary {
    /// The number of cells with `status`.
    pub fn count(&self, status: Status) -> usize {
        self.rows.iter().filter(|row| row.status == status).count()
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

/// Runs the groups of `plan` that `folder` does not have yet, storing each as it ends, and joins all into
/// `cells.parquet` and `timings.parquet`.
///
/// # Errors
/// [`RunError`] if results cannot be stored; cells that go wrong are rows, not errors.
pub fn run_experiment(
    plan: &Plan,
    folder: &ResultsFolder,
    options: RunOptions,
) -> Result<RunSummary, RunError> {
    let done = folder.finished_groups(plan)?;
    let todo: Vec<GroupKey> = plan.groups().filter(|key| !done.contains(key)).collect();
    let continued = done.len() * plan.cells_per_group();
    let bar = progress_bar(plan, options.progress, continued);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| RunError::Threads {
            threads: options.threads,
            message: error.to_string(),
        })?;
    let stored = run_groups(plan, folder, &todo, &pool, &bar);
    bar.finish_and_clear();
    stored?;
    let rows = folder.join(plan)?;
    Ok(RunSummary { rows, continued })
}

/// Runs the groups `todo` on `pool`, and stores each as it ends on a thread of its own: polars has a pool too,
/// and a worker of ours that waited for it would run another group in the middle of storing one.
fn run_groups(
    plan: &Plan,
    folder: &ResultsFolder,
    todo: &[GroupKey],
    pool: &rayon::ThreadPool,
    bar: &ProgressBar,
) -> Result<(), StoreError> {
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let writer = scope.spawn(move || {
            for (key, worker, results) in receiver {
                let results: Vec<(CellRow, StageSeconds)> = results;
                folder.store_group(key, worker, &results)?;
                bar.inc(results.len() as u64);
            }
            Ok(())
        });
        // Sending fails once the writer has stopped on an error, which ends the run.
        let sent = pool.install(|| {
            todo.par_iter().try_for_each_with(sender, |sender, key| {
                let results = run_group(plan, *key);
                let worker = rayon::current_thread_index().unwrap_or(0) as u32;
                sender.send((*key, worker, results))
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

fn progress_bar(plan: &Plan, visible: bool, continued: usize) -> ProgressBar {
    if !visible {
        return ProgressBar::hidden();
    }
    let cells = plan.groups().count() * plan.cells_per_group();
    let template = "{prefix} {wide_bar:.cyan/dim} {pos}/{len} cells · {elapsed} gone · {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = ProgressBar::new(cells as u64)
        .with_style(style)
        .with_prefix(plan.name.clone());
    bar.set_position(continued as u64);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
