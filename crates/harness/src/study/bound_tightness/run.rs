//! One group: a dataset in one repeat, every map, point and bound on it.

use super::measure::Study;
use super::plan::{MapPlan, Point, TightnessPlan};
use super::prepare::Prepared;
use super::row::{Tightness, TightnessRow};
use crate::plan::{GroupKey, PlannedCell};
use crate::run::failure::{Failure, guarded};
use crate::run::stopwatch::Stopwatch;
use crate::run::{CellSink, Experiment};
use crate::spec::{Kind, SpecFile};
use crate::store::{CellResult, Manifest, Status};
use crate::study::identity::planned;
use robust_svm_bounds::FeatureBound;

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
