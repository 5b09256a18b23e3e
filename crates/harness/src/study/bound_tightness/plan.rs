//! The validated study: every cell.

use super::spec::{EXAMPLES, MapName, MapSpec, Spec, Width};
use crate::data::DataFolders;
use crate::plan::check::{MAX_REPEATS, check_attack, check_name};
use crate::plan::map::MAX_SIZE;
use crate::plan::numbers::check_count;
use crate::plan::robustness::listed;
use crate::plan::tasks::{load_tasks, place, refuse_grids};
use crate::plan::{GroupKey, PlanError, Task};
use crate::source_error::nearest_name;
use crate::spec::Spanned;
use crate::spec::SpecFile;
use crate::study::axis::AxisPlan;
use ndarray::Array2;
use rand::rngs::mock::StepRng;
use robust_svm_bounds::attack::AttackOptions;
use robust_svm_bounds::{BoundError, FeatureBound, all_names, bounds_for, find};
use robust_svm_core::CoreError;
use robust_svm_core::features::{Features, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::seed::CellSeed;
use robust_svm_core::uncertainty::{UncertaintySet, UncertaintySets};
use std::sync::Arc;

/// More points than these are a slip.
const MAX_POINTS: usize = 100_000;

/// A validated experiment of the kind `bound-tightness`.
#[derive(Debug)]
pub struct TightnessPlan {
    /// The experiment's name.
    pub name: String,
    /// The experiment's seed.
    pub seed: u64,
    /// Repeats of each dataset.
    pub repeats: u32,
    /// The datasets, loaded; their test parts have at most as many rows as there are points.
    pub tasks: Vec<Task>,
    /// The attack's effort.
    pub attack: AttackOptions,
    pub(super) n: AxisPlan<Width>,
    pub(super) sigma: AxisPlan<f64>,
    pub(super) gamma: AxisPlan<f64>,
    pub(super) maps: Vec<MapPlan>,
    /// The file it was made from.
    pub file: SpecFile,
}

/// A feature map with what is measured on it.
#[derive(Debug)]
pub(super) struct MapPlan {
    pub(super) map: MapName,
    /// D or m.
    pub(super) size: AxisPlan<usize>,
    pub(super) bounds: Vec<&'static dyn FeatureBound>,
}

/// A point of the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Input features.
    pub n: Width,
    /// D, or m for Nyström.
    pub size: usize,
    /// σ in multiples of the median distance.
    pub sigma: f64,
    /// γ.
    pub gamma: f64,
}

impl TightnessPlan {
    /// The base point of `map`.
    pub(super) fn base(&self, map: &MapPlan) -> Point {
        Point {
            n: self.n.base,
            size: map.size.base,
            sigma: self.sigma.base,
            gamma: self.gamma.base,
        }
    }

    /// Every point of `map`: the base, then those that differ from it in one axis.
    pub(super) fn points(&self, map: &MapPlan) -> Vec<Point> {
        let base = self.base(map);
        let mut points = vec![base];
        points.extend(self.n.others().map(|n| Point { n, ..base }));
        points.extend(map.size.others().map(|size| Point { size, ..base }));
        points.extend(self.sigma.others().map(|sigma| Point { sigma, ..base }));
        points.extend(self.gamma.others().map(|gamma| Point { gamma, ..base }));
        points
    }

    /// The random streams of `group`.
    pub(super) fn seeds(&self, group: GroupKey) -> CellSeed {
        CellSeed::new(self.seed, &self.tasks[group.task].label, group.repeat)
    }
}

/// Checks `file` against the datasets in `folders`.
///
/// # Errors
/// [`PlanError`], with the place in the file or in the data.
pub fn plan(file: SpecFile, folders: &DataFolders) -> Result<TightnessPlan, PlanError> {
    let spec: Spec = file.parse_with(EXAMPLES)?;
    check_name(&file, &spec.name)?;
    let repeats = check_count(&file, "repeats", &spec.repeats, MAX_REPEATS)?;
    let points = check_count(&file, "points", &spec.points, MAX_POINTS)?;
    let axes = &spec.axes;
    let positive = |value: f64| value > 0.0 && value.is_finite();
    let maps = check_maps(&file, &spec.map)?;
    refuse_grids(&file, &spec.data)?;
    let entries = spec.data.datasets.get_ref().iter().map(Spanned::get_ref);
    let mut caps = std::iter::once(&spec.data.max_rows).chain(entries.map(|entry| &entry.max_rows));
    if let Some(test) = caps.find_map(|cap| cap.test.as_ref()) {
        let message = "`max_rows.test` has no meaning here";
        let help = "`points` is the most test rows: leave `test` out";
        return Err(file.error_at(test.span(), message, help).into());
    }
    let mut plan = TightnessPlan {
        name: spec.name.get_ref().clone(),
        seed: spec.seed,
        repeats,
        attack: check_attack(&file, &spec.attack)?,
        n: AxisPlan::check(&file, "n", &axes.n, "at least 1, or \"all\"", |n| {
            n.count() != Some(0)
        })?,
        sigma: AxisPlan::check(&file, "sigma", &axes.sigma, "positive and finite", positive)?,
        gamma: AxisPlan::check(&file, "gamma", &axes.gamma, "positive and finite", positive)?,
        maps,
        tasks: load_tasks(&file, &spec.data, folders)?,
        file,
    };
    for task in &mut plan.tasks {
        task.parts.cap.test = Some(points);
    }
    check_splits(&plan, &spec)?;
    Ok(plan)
}

fn check_maps(
    file: &SpecFile,
    list: &Spanned<Vec<Spanned<MapSpec>>>,
) -> Result<Vec<MapPlan>, PlanError> {
    let mut maps: Vec<MapPlan> = Vec::new();
    for spec in list.get_ref().iter().map(Spanned::get_ref) {
        let map = *spec.map.get_ref();
        if maps.iter().any(|other| other.map == map) {
            let message = format!("map `{}` is there twice", map.name());
            let help = "remove one of its sections";
            return Err(file.error_at(spec.map.span(), message, help).into());
        }
        let (rule, step) = match map {
            MapName::Rff | MapName::OrthogonalRff => ("even and from 2 to 1000000", 2),
            MapName::PhasedRff | MapName::Nystrom => ("from 1 to 1000000", 1),
        };
        let good = |size: usize| (1..=MAX_SIZE).contains(&size) && size.is_multiple_of(step);
        maps.push(MapPlan {
            map,
            size: AxisPlan::check(file, "size", &spec.size, rule, good)?,
            bounds: check_bounds(file, spec)?,
        });
    }
    if maps.is_empty() {
        let help = "add a [[map]] section";
        return Err(file.error_at(list.span(), "there is no map", help).into());
    }
    Ok(maps)
}

fn check_bounds(
    file: &SpecFile,
    spec: &MapSpec,
) -> Result<Vec<&'static dyn FeatureBound>, PlanError> {
    let map = *spec.map.get_ref();
    let tried = tried(map).expect("a map of one input is well defined");
    let holding = || bounds_for(map.kind()).filter(|bound| holds(*bound, &tried).is_ok());
    let Some(list) = &spec.bounds else {
        return Ok(holding().collect());
    };
    let mut bounds: Vec<&'static dyn FeatureBound> = Vec::new();
    for written in list.get_ref() {
        let name = written.get_ref().as_str();
        let refuse = |message: String, help: String| {
            Err(PlanError::from(file.error_at(
                written.span(),
                message,
                help,
            )))
        };
        let Some(bound) = find(name, map.kind()) else {
            let message = if all_names().contains(&name) {
                format!("bound `{name}` does not hold for this feature map")
            } else {
                format!("unknown bound `{name}`")
            };
            return match nearest_name(name, holding().map(FeatureBound::name)) {
                Some(near) => refuse(message, format!("did you mean `{near}`?")),
                None => refuse(
                    message,
                    format!("bounds of this map: {}", listed(holding())),
                ),
            };
        };
        if let Err(error) = holds(bound, &tried) {
            let message = format!("bound `{name}` does not hold for this feature map");
            return match error {
                BoundError::NotValid { reason, .. } => refuse(message, reason),
                BoundError::Core(error) => refuse(message, error.to_string()),
            };
        }
        if bounds.contains(&bound) {
            let message = format!("bound `{name}` is there twice");
            return refuse(message, "remove one of them".to_owned());
        }
        bounds.push(bound);
    }
    if bounds.is_empty() {
        let help = format!("leave it out for all of them: {}", listed(holding()));
        return Err(file.error_at(list.span(), "`bounds` is empty", help).into());
    }
    Ok(bounds)
}

/// That `bound` holds for maps like `tried`, by asking it about one point that does not move.
fn holds(bound: &dyn FeatureBound, tried: &Features) -> Result<(), BoundError> {
    let sets = UncertaintySets::from(UncertaintySet::sphere());
    let origin = Array2::zeros((1, 1));
    bound.penalty(tried, &sets, origin.view(), 0.0).map(|_| ())
}

/// A small map of one input, of the form of `map`: whether a bound holds does not depend on the frequencies.
fn tried(map: MapName) -> Result<Features, CoreError> {
    let kernel = GaussianKernel::new(1.0)?;
    let rng = &mut StepRng::new(1 << 60, 1 << 61);
    Ok(match map {
        MapName::Rff | MapName::OrthogonalRff => {
            Features::Rff(Arc::new(Rff::draw(kernel, 1, 2, rng)?))
        }
        MapName::PhasedRff => Features::Rff(Arc::new(Rff::draw_phased(kernel, 1, 2, rng)?)),
        MapName::Nystrom => {
            Features::Nystrom(Arc::new(Nystrom::new(kernel, Array2::zeros((1, 1)))?))
        }
    })
}

/// Makes every split once: both classes in every part, enough rows for the landmarks.
fn check_splits(plan: &TightnessPlan, spec: &Spec) -> Result<(), PlanError> {
    for (task, entry) in plan.tasks.iter().zip(spec.data.datasets.get_ref()) {
        for repeat in 0..plan.repeats {
            let seeds = CellSeed::new(plan.seed, &task.label, repeat);
            let split = task.split(&seeds).map_err(|source| PlanError::Split {
                place: place(&plan.file, entry),
                dataset: task.label.clone(),
                repeat,
                source,
            })?;
            check_landmarks(plan, spec, &task.label, split.train.len())?;
        }
    }
    Ok(())
}

fn check_landmarks(
    plan: &TightnessPlan,
    spec: &Spec,
    dataset: &str,
    train: usize,
) -> Result<(), PlanError> {
    for section in spec.map.get_ref().iter().map(Spanned::get_ref) {
        if *section.map.get_ref() != MapName::Nystrom {
            continue;
        }
        let varied = section.size.vary.as_deref().unwrap_or_default();
        let mut sizes = std::iter::once(&section.size.base).chain(varied);
        if let Some(most) = sizes.find(|size| *size.get_ref() > train) {
            let m = most.get_ref();
            let message =
                format!("{m} landmarks, and dataset `{dataset}` has {train} training rows");
            let help = format!(
                "landmarks are training rows: use at most {train}, or leave the dataset out"
            );
            return Err(plan.file.error_at(most.span(), message, help).into());
        }
    }
    Ok(())
}
