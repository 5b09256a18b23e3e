//! What every kind of experiment gives to be run, stored and continued.

use crate::spec::SpecFile;
use crate::store::{Manifest, Record, StageSeconds};

/// A validated experiment of some kind: groups of cells that can be run on any thread in any order.
pub trait Experiment: Sync {
    /// What is told of a cell.
    type Row: Record;

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

    /// The name of `group`'s files until they are joined: one group's alone, and the same in every run.
    fn part(&self, group: Self::Group) -> String;

    /// The identities of `group`'s cells.
    fn cell_ids(&self, group: Self::Group) -> Vec<String>;

    /// Runs `group`: a row and its seconds for each of its cells, whatever happens. A panic in here is a
    /// fault of the program, so work that may panic is guarded.
    fn run_group(&self, group: Self::Group) -> Vec<(Self::Row, StageSeconds)>;
}
