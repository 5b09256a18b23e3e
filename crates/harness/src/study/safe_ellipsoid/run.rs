//! One group: a dataset in one repeat, every level and method on it.

use super::measure::measure;
use super::plan::{Method, SafePlan};
use super::prepare::Prepared;
use super::row::{Measurement, SafeRow, Sizes};
use super::select::select;
use crate::plan::{GroupKey, PlannedCell, part_rows};
use crate::run::failure::{Failure, guarded};
use crate::run::stopwatch::Stopwatch;
use crate::run::{CellSink, Experiment};
use crate::spec::{Kind, SpecFile};
use crate::store::{CellResult, Manifest, Status, Work};
use robust_svm_core::CoreError;
use robust_svm_core::data::Split;

impl Experiment for SafePlan {
    type Row = SafeRow;
    type Group = GroupKey;

    fn name(&self) -> &str {
        &self.name
    }

    fn file(&self) -> &SpecFile {
        &self.file
    }

    fn manifest(&self) -> Manifest {
        let kind = Kind::SafeEllipsoid;
        Manifest::new(kind, &self.name, self.seed, &self.file, &self.tasks)
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
        let of_level = |&level: &f64| Method::ALL.map(|method| self.cell(group, level, method));
        self.levels.iter().flat_map(of_level).collect()
    }

    fn split(&self, group: GroupKey) -> Option<Result<Split, CoreError>> {
        Some(self.tasks[group.task].split(&self.seeds(group)))
    }

    /// The methods of a level are fitted together.
    fn works(&self, group: GroupKey) -> Vec<Work> {
        let task = &self.tasks[group.task];
        let data = &task.loaded.data;
        let (train, test) = part_rows(data.rows(), task.parts);
        let of_lambda = 1 + self.gamma.len() + self.settings.max_solves;
        let work = Work {
            group: self.part(group),
            dataset: task.label.clone(),
            key: "safe-ellipsoid".to_owned(),
            map: "identity".to_owned(),
            rows: train as u32,
            dim: data.features() as u32,
            candidates: (self.lambda.len() * of_lambda) as u32,
            blocks: 1,
            probes: (test * self.draws) as u64,
        };
        vec![work; self.levels.len() * Method::ALL.len()]
    }

    fn run_group(&self, group: GroupKey, sink: &mut dyn CellSink<SafeRow>) {
        let mut watch = Stopwatch::default();
        let mut prepared: Option<Result<Prepared, Failure>> = None;
        for &level in &self.levels {
            // The methods of a level are fitted together, for the first that is wanted.
            let mut measured: Option<Result<[Measurement; 3], Failure>> = None;
            for (index, method) in Method::ALL.into_iter().enumerate() {
                let id = self.cell(group, level, method).id;
                if !sink.wants(&id) {
                    continue;
                }
                sink.begin(&id);
                let prepared = prepared.get_or_insert_with(|| {
                    guarded(|| {
                        let prepare = || Prepared::new(self, group).map_err(Failure::failed);
                        watch.time(|s| &mut s.prepare, prepare)
                    })
                });
                let measured = measured.get_or_insert_with(|| match prepared {
                    Ok(prepared) => guarded(|| self.measured(prepared, level, &mut watch)),
                    Err(failure) => Err(failure.clone()),
                });
                let sizes = prepared.as_ref().map_or_else(|_| Sizes::default(), sizes);
                let outcome = measured.as_ref().map(|all| all[index].clone());
                sink.finish(CellResult {
                    row: self.row(group, level, method, sizes, outcome),
                    seconds: watch.take(),
                    trace: Vec::new(),
                });
            }
        }
    }

    fn unmeasured(&self, group: GroupKey, index: usize, failure: Failure) -> SafeRow {
        let methods = Method::ALL.len();
        let (level, method) = (self.levels[index / methods], Method::ALL[index % methods]);
        self.row(group, level, method, Sizes::default(), Err(&failure))
    }
}

fn sizes(prepared: &Prepared) -> Sizes {
    let [train, validation, test] = prepared.rows().map(|rows| rows as u32);
    Sizes {
        train,
        validation,
        test,
        features: prepared.noisy.len() as u32,
        noisy_features: prepared.noisy.sum() as u32,
    }
}

impl SafePlan {
    /// The numbers of every method at `level`.
    fn measured(
        &self,
        prepared: &Prepared,
        level: f64,
        watch: &mut Stopwatch,
    ) -> Result<[Measurement; 3], Failure> {
        let chosen = watch.time(|s| &mut s.solve, || select(self, prepared, level))?;
        let evaluate = || {
            let noisy = prepared.noisy_test(level);
            chosen.map(|candidate| measure(&candidate, prepared, &noisy, level))
        };
        Ok(watch.time(|s| &mut s.evaluate, evaluate))
    }

    fn row(
        &self,
        group: GroupKey,
        level: f64,
        method: Method,
        sizes: Sizes,
        outcome: Result<Measurement, &Failure>,
    ) -> SafeRow {
        let (status, reason, measurement) = match outcome {
            Ok(measurement) => (Status::Ok, None, Some(measurement)),
            Err(failure) => (failure.status, Some(failure.reason.clone()), None),
        };
        SafeRow {
            cell_id: self.cell(group, level, method).id,
            dataset: self.tasks[group.task].label.clone(),
            method: method.name().to_owned(),
            level,
            repeat: group.repeat,
            status,
            reason,
            seed: self.seeds(group).number(),
            sizes,
            measurement,
        }
    }
}
