//! One group: a dataset in one repeat, every map, point and bound on it.

use super::measure::Study;
use super::plan::{MapPlan, Point, TightnessPlan};
use super::prepare::Prepared;
use super::row::{Tightness, TightnessRow};
use crate::plan::{GroupKey, PlannedCell, part_rows};
use crate::run::failure::{Failure, guarded};
use crate::run::stopwatch::Stopwatch;
use crate::run::{CellSink, Experiment};
use crate::spec::{Kind, SpecFile};
use crate::store::{CellResult, Manifest, Status, Work};
use crate::study::identity::planned;
use robust_svm_bounds::FeatureBound;
use robust_svm_core::CoreError;
use robust_svm_core::data::Split;

impl Experiment for TightnessPlan {
    type Row = TightnessRow;
    type Group = GroupKey;

    fn name(&self) -> &str {
        &self.name
    }

    fn file(&self) -> &SpecFile {
        &self.file
    }

    fn manifest(&self) -> Manifest {
        Manifest::new(
            Kind::BoundTightness,
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
        let mut cells = Vec::new();
        for map in &self.maps {
            for point in self.points(map) {
                let of = |bound: &&dyn FeatureBound| self.cell(group, map, point, *bound);
                cells.extend(map.bounds.iter().map(of));
            }
        }
        cells
    }

    fn split(&self, group: GroupKey) -> Option<Result<Split, CoreError>> {
        Some(self.tasks[group.task].split(&self.seeds(group)))
    }

    fn works(&self, group: GroupKey) -> Vec<Work> {
        let mut works = Vec::new();
        for map in &self.maps {
            for point in self.points(map) {
                let of = |bound: &&dyn FeatureBound| self.work(group, map, point, *bound);
                works.extend(map.bounds.iter().map(of));
            }
        }
        works
    }

    fn run_group(&self, group: GroupKey, sink: &mut dyn CellSink<TightnessRow>) {
        let mut watch = Stopwatch::default();
        let mut prepared: Option<Result<Prepared, Failure>> = None;
        for map in &self.maps {
            for point in self.points(map) {
                let ids = map.bounds.iter();
                let ids = ids.map(|bound| self.cell(group, map, point, *bound).id);
                let wanted: Vec<bool> = ids.map(|id| sink.wants(&id)).collect();
                let Some(first) = wanted.iter().position(|wanted| *wanted) else {
                    continue;
                };
                sink.begin(&self.cell(group, map, point, map.bounds[first]).id);
                let prepared = prepared.get_or_insert_with(|| {
                    guarded(|| {
                        let prepare = || Prepared::new(self, group).map_err(Failure::failed);
                        watch.time(|s| &mut s.prepare, prepare)
                    })
                });
                let mapped = match prepared {
                    Ok(prepared) => guarded(|| {
                        let make = || prepared.map(map.map, point).map_err(Failure::failed);
                        watch.time(|s| &mut s.features, make)
                    }),
                    Err(failure) => Err(failure.clone()),
                };
                let mut study = mapped.as_ref().map(|mapped| Study {
                    mapped,
                    gamma: point.gamma,
                    attack: self.attack,
                    seeds: prepared.as_ref().expect("there is a map").seeds(),
                    found: Vec::new(),
                });
                for (index, &bound) in map.bounds.iter().enumerate() {
                    if !wanted[index] {
                        continue;
                    }
                    if index > first {
                        sink.begin(&self.cell(group, map, point, bound).id);
                    }
                    let outcome = match &mut study {
                        Ok(study) => guarded(|| study.measure(bound, &mut watch)),
                        Err(failure) => Err(failure.clone()),
                    };
                    sink.finish(CellResult {
                        row: self.row(group, map, point, bound, outcome),
                        seconds: watch.take(),
                        trace: Vec::new(),
                    });
                }
            }
        }
    }

    fn unmeasured(&self, group: GroupKey, index: usize, failure: Failure) -> TightnessRow {
        let at = |map: &'_ MapPlan, point, bound| self.row(group, map, point, bound, Err(failure));
        let mut before = 0;
        for map in &self.maps {
            for point in self.points(map) {
                match map.bounds.get(index - before) {
                    Some(&bound) => return at(map, point, bound),
                    None => before += map.bounds.len(),
                }
            }
        }
        unreachable!("the group has no cell {index}")
    }
}

/// The numbers of a cell, or why there are none.
type Outcome = Result<Tightness, Failure>;

impl TightnessPlan {
    fn cell(
        &self,
        group: GroupKey,
        map: &MapPlan,
        point: Point,
        bound: &dyn FeatureBound,
    ) -> PlannedCell {
        let axes = vec![
            ("dataset", self.tasks[group.task].label.clone()),
            ("map", map.map.name().to_owned()),
            ("bound", bound.name().to_owned()),
            ("n", point.n.to_string()),
            ("size", point.size.to_string()),
            ("sigma", point.sigma.to_string()),
            ("gamma", point.gamma.to_string()),
            ("repeat", group.repeat.to_string()),
        ];
        planned("bound-tightness", axes)
    }

    fn work(&self, group: GroupKey, map: &MapPlan, point: Point, bound: &dyn FeatureBound) -> Work {
        let task = &self.tasks[group.task];
        let (train, test) = part_rows(task.loaded.data.rows(), task.parts);
        Work {
            group: self.part(group),
            dataset: task.label.clone(),
            key: format!("bound-tightness {} {}", map.map.name(), bound.name()),
            map: map.map.name().to_owned(),
            rows: train as u32,
            dim: point.size as u32,
            candidates: 0,
            blocks: 1,
            probes: (test * self.attack.steps() * self.attack.restarts()) as u64,
        }
    }

    fn row(
        &self,
        group: GroupKey,
        map: &MapPlan,
        point: Point,
        bound: &dyn FeatureBound,
        outcome: Outcome,
    ) -> TightnessRow {
        let (status, reason, measurement) = match outcome {
            Ok(measurement) => (Status::Ok, None, Some(measurement)),
            Err(failure) => (failure.status, Some(failure.reason), None),
        };
        TightnessRow {
            cell_id: self.cell(group, map, point, bound).id,
            dataset: self.tasks[group.task].label.clone(),
            map: map.map.name().to_owned(),
            bound: bound.name().to_owned(),
            point,
            repeat: group.repeat,
            status,
            reason,
            seed: self.seeds(group).number(),
            measurement,
        }
    }
}
