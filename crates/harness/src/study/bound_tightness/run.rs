//! One group: a dataset in one repeat, every map, point and bound on it.

use super::measure::Study;
use super::plan::{MapPlan, Point, TightnessPlan};
use super::prepare::Prepared;
use super::row::{Tightness, TightnessRow};
use crate::plan::GroupKey;
use crate::run::Experiment;
use crate::run::failure::{Failure, guarded};
use crate::run::stopwatch::Stopwatch;
use crate::spec::{Kind, SpecFile};
use crate::store::{Manifest, StageSeconds, Status};
use crate::study::identity::cell_id;
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

    fn cell_ids(&self, group: GroupKey) -> Vec<String> {
        let mut ids = Vec::new();
        for map in &self.maps {
            for point in self.points(map) {
                ids.extend(
                    map.bounds
                        .iter()
                        .map(|bound| self.id(group, map, point, *bound)),
                );
            }
        }
        ids
    }

    fn run_group(&self, group: GroupKey) -> Vec<(TightnessRow, StageSeconds)> {
        let mut watch = Stopwatch::default();
        let prepared = guarded(|| {
            let prepare = || Prepared::new(self, group).map_err(Failure::failed);
            watch.time(|s| &mut s.prepare, prepare)
        });
        let mut results = Vec::new();
        for map in &self.maps {
            for point in self.points(map) {
                let outcomes = match &prepared {
                    Ok(prepared) => self.outcomes(prepared, map, point, &mut watch),
                    Err(failure) => each_bound(map, failure),
                };
                for (bound, (outcome, seconds)) in map.bounds.iter().zip(outcomes) {
                    results.push((self.row(group, map, point, *bound, outcome), seconds));
                }
            }
        }
        results
    }
}

/// The numbers of a cell, or why there are none.
type Outcome = Result<Tightness, Failure>;

/// The same failure for every bound.
fn each_bound(map: &MapPlan, failure: &Failure) -> Vec<(Outcome, StageSeconds)> {
    vec![(Err(failure.clone()), StageSeconds::default()); map.bounds.len()]
}

impl TightnessPlan {
    /// The outcomes of all bounds of `map` at `point`.
    fn outcomes(
        &self,
        prepared: &Prepared,
        map: &MapPlan,
        point: Point,
        watch: &mut Stopwatch,
    ) -> Vec<(Outcome, StageSeconds)> {
        let mapped = guarded(|| {
            let make = || prepared.map(map.map, point).map_err(Failure::failed);
            watch.time(|s| &mut s.features, make)
        });
        let mapped = match &mapped {
            Ok(mapped) => mapped,
            Err(failure) => return each_bound(map, failure),
        };
        let mut study = Study {
            mapped,
            gamma: point.gamma,
            attack: self.attack,
            seeds: prepared.seeds(),
            found: Vec::new(),
        };
        map.bounds
            .iter()
            .map(|bound| {
                let outcome = guarded(|| study.measure(*bound, watch));
                (outcome, watch.take())
            })
            .collect()
    }

    fn id(&self, group: GroupKey, map: &MapPlan, point: Point, bound: &dyn FeatureBound) -> String {
        let axes = [
            self.tasks[group.task].label.clone(),
            map.map.name().to_owned(),
            bound.name().to_owned(),
            point.n.to_string(),
            point.size.to_string(),
            point.sigma.to_string(),
            point.gamma.to_string(),
            group.repeat.to_string(),
        ];
        cell_id("bound-tightness", &axes)
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
            cell_id: self.id(group, map, point, bound),
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
