//! The kind `classification`.

use super::group::{row, run_group};
use super::{CellSink, Experiment, Failure};
use crate::plan::{GroupKey, Plan, PlannedCell};
use crate::spec::{Kind, SpecFile};
use crate::store::{CellRow, Manifest, Work};
use robust_svm_core::CoreError;
use robust_svm_core::data::Split;

impl Experiment for Plan {
    type Row = CellRow;
    type Group = GroupKey;

    fn name(&self) -> &str {
        &self.name
    }

    fn file(&self) -> &SpecFile {
        &self.file
    }

    fn manifest(&self) -> Manifest {
        Manifest::new(
            Kind::Classification,
            &self.name,
            self.seed,
            &self.file,
            &self.tasks,
        )
    }

    /// Repeat by repeat.
    fn groups(&self) -> Vec<GroupKey> {
        let tasks = 0..self.tasks.len();
        (0..self.repeats)
            .flat_map(|repeat| tasks.clone().map(move |task| GroupKey { task, repeat }))
            .collect()
    }

    fn part(&self, group: GroupKey) -> String {
        format!("{:03}-{:04}", group.task, group.repeat)
    }

    fn cells(&self, group: GroupKey) -> Vec<PlannedCell> {
        let of_method = |method| {
            let planned = move |level: &f64| self.cell(group, method, *level).planned();
            self.levels.iter().map(planned)
        };
        self.methods.iter().flat_map(of_method).collect()
    }

    fn split(&self, group: GroupKey) -> Option<Result<Split, CoreError>> {
        Some(self.tasks[group.task].split(&self.seeds(group)))
    }

    fn works(&self, group: GroupKey) -> Vec<Work> {
        let part = self.part(group);
        let of_method = |method| {
            let work = self.work(group, method, &part);
            std::iter::repeat_n(work, self.levels.len())
        };
        self.methods.iter().flat_map(of_method).collect()
    }

    fn run_group(&self, group: GroupKey, sink: &mut dyn CellSink<CellRow>) {
        run_group(self, group, sink);
    }

    fn unmeasured(&self, group: GroupKey, index: usize, failure: Failure) -> CellRow {
        let levels = self.levels.len();
        let (method, level) = (&self.methods[index / levels], self.levels[index % levels]);
        row(self, group, method, level, Err(failure))
    }
}
