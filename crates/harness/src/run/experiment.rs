//! What every kind of experiment gives to be planned, run, stored and continued.

use super::{CellSink, Failure};
use crate::plan::PlannedCell;
use crate::spec::SpecFile;
use crate::store::{Manifest, Record, Work};
use robust_svm_core::CoreError;
use robust_svm_core::data::Split;

/// A validated experiment of some kind: groups of cells that can be run on any thread in any order.
pub trait Experiment: Sync {
    /// What is told of a cell.
    type Row: Record + 'static;

    /// The unit of scheduling and storing.
    type Group: Copy + Send + Sync;

    /// The experiment's name.
    fn name(&self) -> &str;

    /// The file it was made from.
    fn file(&self) -> &SpecFile;

    /// What its results are made from.
    fn manifest(&self) -> Manifest;

    /// Every group, in the order they are begun.
    fn groups(&self) -> Vec<Self::Group>;

    /// The name of `group`: one group's alone, and the same in every run.
    fn part(&self, group: Self::Group) -> String;

    /// The cells of `group`, in the order they are run.
    fn cells(&self, group: Self::Group) -> Vec<PlannedCell>;

    /// The rows that the cells of `group` are trained, selected and tested on; `None` where they use no data.
    fn split(&self, _group: Self::Group) -> Option<Result<Split, CoreError>> {
        None
    }

    /// The work of each of [`Experiment::cells`], in their order; empty where nothing is known of it.
    fn works(&self, _group: Self::Group) -> Vec<Work> {
        Vec::new()
    }

    /// Whether what cells take is what it measures: each group is then run alone, in a worker process of its own.
    fn measures_processes(&self) -> bool {
        false
    }

    /// Runs the cells of `group` that `sink` wants, each told to `sink` before its work begins, and its row after,
    /// whatever happens. A row does not depend on which others are wanted. A panic in here is a fault of the program,
    /// so work that may panic is guarded.
    fn run_group(&self, group: Self::Group, sink: &mut dyn CellSink<Self::Row>);

    /// The row of the cell at `index` of [`Experiment::cells`] that ended with `failure` before there was anything to
    /// tell of it.
    fn unmeasured(&self, group: Self::Group, index: usize, failure: Failure) -> Self::Row;
}
