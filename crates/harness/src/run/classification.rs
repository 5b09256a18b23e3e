//! The kind `classification`.

use super::group::run_group;
use super::{CellSink, Experiment};
use crate::plan::{GroupKey, Plan, PlannedCell};
use crate::spec::{Kind, SpecFile};
use crate::store::{CellRow, Manifest};

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

    fn run_group(&self, group: GroupKey, sink: &mut dyn CellSink<CellRow>) {
        run_group(self, group, sink);
    }
}
