//! Chosen cells computed again, and kept nowhere.

use super::progress::{Progress, Show};
use super::{Collect, Experiment, RunError, run_group_told};
use crate::store::{CellDone, CellResult};
use rayon::prelude::*;
use std::sync::Mutex;

/// Runs of each group of `wanted` the cells with these identities, and gives their rows in the order of the groups.
///
/// # Errors
/// [`RunError::Threads`] if the thread pool cannot be made.
pub fn recompute<E: Experiment>(
    experiment: &E,
    wanted: &[(E::Group, Vec<String>)],
    threads: usize,
    show: Show,
) -> Result<Vec<E::Row>, RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunError::Threads {
            threads,
            message: error.to_string(),
        })?;
    let total = wanted.iter().map(|(_, ids)| ids.len()).sum();
    let progress = Progress::start(show, experiment.name(), total, 0);
    let progress = Mutex::new(progress);
    let rows: Vec<Vec<E::Row>> = pool.install(|| {
        let of_group = |(group, ids): &(E::Group, Vec<String>)| {
            let mut sink = Collect::new(ids);
            run_group_told(experiment, *group, &mut sink);
            let done: Vec<CellDone<E::Row>> = sink.results.into_iter().map(alone).collect();
            if let Ok(mut progress) = progress.lock() {
                progress.add(&done);
                progress.tick();
            }
            done.into_iter().map(|done| done.result.row).collect()
        };
        wanted.par_iter().map(of_group).collect()
    });
    if let Ok(progress) = progress.into_inner() {
        progress.finish();
    }
    Ok(rows.into_iter().flatten().collect())
}

/// A cell of which nothing is stored.
fn alone<R>(result: CellResult<R>) -> CellDone<R> {
    CellDone {
        result,
        start_bytes: None,
        peak_bytes: None,
        worker: 0,
    }
}
