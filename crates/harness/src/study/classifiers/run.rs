//! One group: a dataset in one repeat, one method on it or all.

use super::attack::Candidates;
use super::measure::measure;
use super::method::{Fitted, fit};
use super::plan::{CellAxes, ClassifiersGroup, ClassifiersPlan};
use super::prepare::Prepared;
use super::row::{ClassifierRow, Measurement, Sizes};
use super::spec_noise::NoiseKind;
use super::work::works;
use crate::plan::PlannedCell;
use crate::run::failure::{Failure, guarded};
use crate::run::stopwatch::Stopwatch;
use crate::run::{CellSink, Experiment};
use crate::spec::{Kind, SpecFile};
use crate::store::{CellResult, Manifest, Status, Work};
use robust_svm_core::CoreError;
use robust_svm_core::data::Split;
use std::collections::BTreeMap;

impl Experiment for ClassifiersPlan {
    type Row = ClassifierRow;
    type Group = ClassifiersGroup;

    fn name(&self) -> &str {
        &self.name
    }

    fn file(&self) -> &SpecFile {
        &self.file
    }

    fn manifest(&self) -> Manifest {
        let datasets = self.tasks.iter().map(super::task::ClassifierTask::identity);
        let (kind, name) = (Kind::Classifiers, &self.name);
        Manifest::of_datasets(kind, name, self.seed, &self.file, datasets.collect())
    }

    /// Repeat by repeat.
    fn groups(&self) -> Vec<ClassifiersGroup> {
        let times: Vec<u32> = self
            .tasks
            .iter()
            .map(|t| t.parts.times(self.repeats))
            .collect();
        let methods: Vec<Option<usize>> = if self.noise.kinds == [NoiseKind::None] {
            (0..self.methods.len()).map(Some).collect()
        } else {
            vec![None]
        };
        let mut groups = Vec::new();
        for repeat in 0..times.iter().copied().max().unwrap_or(0) {
            for task in (0..self.tasks.len()).filter(|task| repeat < times[*task]) {
                let group = |method: &Option<usize>| ClassifiersGroup {
                    task,
                    repeat,
                    method: *method,
                };
                groups.extend(methods.iter().map(group));
            }
        }
        groups
    }

    fn part(&self, group: ClassifiersGroup) -> String {
        let of_group = format!("{:03}-{:04}", group.task, group.repeat);
        match group.method {
            Some(method) => format!("{of_group}-{method:03}"),
            None => of_group,
        }
    }

    fn cells(&self, group: ClassifiersGroup) -> Vec<PlannedCell> {
        let keys = self.keys(group).into_iter();
        keys.map(|axes| self.cell(group, axes)).collect()
    }

    fn split(&self, group: ClassifiersGroup) -> Option<Result<Split, CoreError>> {
        self.split_of(group.task, group.repeat)
    }

    fn works(&self, group: ClassifiersGroup) -> Vec<Work> {
        works(self, group, &self.part(group))
    }

    fn run_group(&self, group: ClassifiersGroup, sink: &mut dyn CellSink<ClassifierRow>) {
        let mut watch = Stopwatch::default();
        let mut work = Group::new(self, group);
        for axes in self.keys(group) {
            let id = self.cell(group, axes).id;
            if !sink.wants(&id) {
                continue;
            }
            sink.begin(&id);
            let outcome = work.measured(axes, &mut watch);
            let sizes = work.sizes();
            sink.finish(CellResult {
                row: self.row(group, axes, sizes, outcome),
                seconds: watch.take(),
                trace: Vec::new(),
            });
        }
    }

    fn unmeasured(&self, group: ClassifiersGroup, index: usize, failure: Failure) -> ClassifierRow {
        let axes = self.keys(group)[index];
        self.row(group, axes, Sizes::default(), Err(failure))
    }
}

/// What the cells of a group share, made for the first that needs it.
struct Group<'a> {
    plan: &'a ClassifiersPlan,
    key: ClassifiersGroup,
    prepared: Option<Result<Prepared, Failure>>,
    /// By method and, for methods that are of a level, the level's index.
    fitted: BTreeMap<(usize, usize), Result<Fitted, Failure>>,
    /// By the level's index.
    candidates: BTreeMap<usize, Result<Candidates, Failure>>,
}

impl<'a> Group<'a> {
    fn new(plan: &'a ClassifiersPlan, key: ClassifiersGroup) -> Self {
        Self {
            plan,
            key,
            prepared: None,
            fitted: BTreeMap::new(),
            candidates: BTreeMap::new(),
        }
    }

    fn sizes(&self) -> Sizes {
        match &self.prepared {
            Some(Ok(prepared)) => Sizes {
                train: prepared.train.rows() as u32,
                validation: prepared.validation.rows() as u32,
                test: prepared.test.rows() as u32,
                features: prepared.features() as u32,
                classes: prepared.train.classes() as u32,
            },
            _ => Sizes::default(),
        }
    }

    /// The numbers of a cell, and what is to be said of its model's candidates.
    fn measured(
        &mut self,
        axes: CellAxes,
        watch: &mut Stopwatch,
    ) -> Result<(Measurement, Option<String>), Failure> {
        self.prepare(watch)?;
        let level = self.level_index(axes.level);
        let key = self.fit(axes.method, level, watch)?;
        if axes.noise == NoiseKind::WorstCase {
            self.search(level, watch)?;
        }
        let (prepared, fitted) = (self.prepared()?, self.fitted[&key].as_ref());
        let fitted = fitted.map_err(Clone::clone)?;
        let candidates = self
            .candidates
            .get(&level)
            .and_then(|found| found.as_ref().ok());
        let evaluate = || guarded(|| measure(fitted, axes, prepared, &self.plan.noise, candidates));
        let measurement = watch.time(|s| &mut s.evaluate, evaluate)?;
        Ok((measurement, fitted.remark.clone()))
    }

    fn prepare(&mut self, watch: &mut Stopwatch) -> Result<(), Failure> {
        if self.prepared.is_none() {
            let prepare = || guarded(|| Prepared::new(self.plan, self.key));
            self.prepared = Some(watch.time(|s| &mut s.prepare, prepare));
        }
        self.prepared().map(|_| ())
    }

    fn prepared(&self) -> Result<&Prepared, Failure> {
        let prepared = self.prepared.as_ref().expect("it is prepared first");
        prepared.as_ref().map_err(Clone::clone)
    }

    fn level_index(&self, level: f64) -> usize {
        let levels = &self.plan.noise.levels;
        let index = levels.iter().position(|known| *known == level);
        index.expect("a level of the plan")
    }

    /// Trains the method for the level, and says where its classifier is.
    fn fit(
        &mut self,
        method: usize,
        level: usize,
        watch: &mut Stopwatch,
    ) -> Result<(usize, usize), Failure> {
        let plan = &self.plan.methods[method];
        let key = (method, if plan.is_of_level() { level } else { 0 });
        if !self.fitted.contains_key(&key) {
            let prepared = self.prepared()?;
            let level = self.plan.noise.levels[level];
            let train = || guarded(|| fit(plan, prepared, level));
            let fitted = watch.time(|s| &mut s.solve, train);
            self.fitted.insert(key, fitted);
        }
        let fitted = self.fitted[&key].as_ref();
        fitted.map(|_| key).map_err(Clone::clone)
    }

    /// Finds the worst-case perturbations at the level, also by the models of all methods that have a gradient: of those that
    /// failed there is none.
    fn search(&mut self, level: usize, watch: &mut Stopwatch) -> Result<(), Failure> {
        if !self.candidates.contains_key(&level) {
            let methods = self.plan.methods_of(self.key);
            let keys: Vec<(usize, usize)> = methods
                .into_iter()
                .filter_map(|method| self.fit(method, level, watch).ok())
                .collect();
            let prepared = self.prepared()?;
            let (noise, radius) = (&self.plan.noise, self.plan.noise.levels[level]);
            let search = || {
                let mut found = Candidates::of_data(prepared, radius, noise);
                let fitted = keys.iter().filter_map(|key| self.fitted[key].as_ref().ok());
                for model in fitted.filter_map(|fitted| fitted.model.as_ref()) {
                    found.add(model, prepared, radius)?;
                }
                Ok(found)
            };
            let found = watch.time(|s| &mut s.evaluate, || guarded(search));
            self.candidates.insert(level, found);
        }
        let found = self.candidates[&level].as_ref();
        found.map(|_| ()).map_err(Clone::clone)
    }
}

impl ClassifiersPlan {
    fn row(
        &self,
        group: ClassifiersGroup,
        axes: CellAxes,
        sizes: Sizes,
        outcome: Result<(Measurement, Option<String>), Failure>,
    ) -> ClassifierRow {
        let (status, reason, measurement) = match outcome {
            Ok((measurement, remark)) => (Status::Ok, remark, Some(measurement)),
            Err(failure) => (failure.status, Some(failure.reason), None),
        };
        ClassifierRow {
            cell_id: self.cell(group, axes).id,
            dataset: self.tasks[group.task].label.clone(),
            method: self.methods[axes.method].name.clone(),
            noise: axes.noise.name().to_owned(),
            level: axes.level,
            repeat: group.repeat,
            status,
            reason,
            seed: self.seeds(group).number(),
            sizes,
            measurement,
        }
    }
}
