//! One group: a dataset in one repeat, every level and method on it.

use super::measure::measure;
use super::plan::{Method, SafePlan};
use super::prepare::Prepared;
use super::row::{Measurement, SafeRow, Sizes};
use super::select::select;
use crate::plan::GroupKey;
use crate::run::Experiment;
use crate::run::failure::{Failure, guarded};
use crate::run::stopwatch::Stopwatch;
use crate::spec::{Kind, SpecFile};
use crate::store::{Manifest, StageSeconds, Status};

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

    fn cell_ids(&self, group: GroupKey) -> Vec<String> {
        let of_level = |&level: &f64| Method::ALL.map(|method| self.id(group, level, method));
        self.levels.iter().flat_map(of_level).collect()
    }

    fn run_group(&self, group: GroupKey) -> Vec<(SafeRow, StageSeconds)> {
        let mut watch = Stopwatch::default();
        let prepared = guarded(|| {
            let prepare = || Prepared::new(self, group).map_err(Failure::failed);
            watch.time(|s| &mut s.prepare, prepare)
        });
        let sizes = prepared.as_ref().map_or_else(|_| Sizes::default(), sizes);
        let mut results = Vec::new();
        for &level in &self.levels {
            let measured = match &prepared {
                Ok(prepared) => guarded(|| self.measured(prepared, level, &mut watch)),
                Err(failure) => Err(failure.clone()),
            };
            for (index, method) in Method::ALL.into_iter().enumerate() {
                let outcome = measured.as_ref().map(|all| all[index].clone());
                let row = self.row(group, level, method, sizes, outcome);
                // The fits are charged to the first method.
                results.push((row, watch.take()));
            }
        }
        results
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
            cell_id: self.id(group, level, method),
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
