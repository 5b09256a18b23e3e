//! A group run, and its work told to the log.

use super::{CellSink, Experiment};
use crate::store::{CellResult, Record, Status};
use std::time::Instant;

/// Runs the cells of `group` that `sink` wants, as [`Experiment::run_group`], and tells when the group and each of its cells
/// begins and ends, which have no numbers, and what is remarked of those that have.
pub fn run_group_told<E: Experiment>(
    experiment: &E,
    group: E::Group,
    sink: &mut dyn CellSink<E::Row>,
) {
    let name = experiment.part(group);
    let start = Instant::now();
    log::debug!("group {name} begins");
    let mut told = Told { sink, cells: 0 };
    experiment.run_group(group, &mut told);
    log::info!(
        "group {name} ended: {} cells in {:.2} s",
        told.cells,
        start.elapsed().as_secs_f64()
    );
}

/// Tells of each cell and hands it on.
struct Told<'a, R> {
    sink: &'a mut dyn CellSink<R>,
    cells: usize,
}

impl<R: Record> CellSink<R> for Told<'_, R> {
    fn wants(&self, id: &str) -> bool {
        self.sink.wants(id)
    }

    fn begin(&mut self, id: &str) {
        log::debug!("cell {id} begins");
        self.sink.begin(id);
    }

    fn finish(&mut self, result: CellResult<R>) {
        self.cells += 1;
        let row = &result.row;
        let (id, place, status) = (row.cell_id(), row.place(), row.status());
        match row.reason() {
            Some(reason) if status == Status::Ok => log::info!("cell {id} ({place}): {reason}"),
            Some(reason) => log::info!("cell {id} ({place}) {}: {reason}", status.name()),
            None => log::debug!("cell {id} ({place}) ended: {}", status.name()),
        }
        self.sink.finish(result);
    }
}
