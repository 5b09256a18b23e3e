//! One group: a dataset in one repeat, every method and level on it.

use super::CellSink;
use super::blocks::{Block, blocks};
use super::evaluate::{NoisyTest, evaluate};
use super::failure::{Failure, guarded};
use super::fit::{Fits, fit_all};
use super::penalty::Training;
use super::prepare::{Prepared, prepare};
use super::select::select;
use super::stopwatch::Stopwatch;
use crate::plan::{Grid, GroupKey, MapPlan, MethodPlan, Plan};
use crate::spec::SolverName;
use crate::store::{CellResult, CellRow, Measurement, Status};
use robust_svm_core::CoreError;
use robust_svm_core::seed::CellSeed;
use robust_svm_solvers::{Intercept, TracePoint};
use std::cell::OnceCell;

/// Runs the cells of `key` that `sink` wants, in the order of methods and levels.
pub(super) fn run_group(plan: &Plan, key: GroupKey, sink: &mut dyn CellSink<CellRow>) {
    let mut watch = Stopwatch::default();
    let mut group: Option<Result<Group<'_>, Failure>> = None;
    for method in &plan.methods {
        // The robust fits at hand; levels that train alike use them again.
        let mut robust = None;
        for (index, &level) in plan.levels.iter().enumerate() {
            let id = plan.cell(key, method, level).id();
            if !sink.wants(&id) {
                continue;
            }
            sink.begin(&id);
            let group = group.get_or_insert_with(|| {
                guarded(|| watch.time(|s| &mut s.prepare, || Group::prepare(plan, key)))
            });
            let outcome = match group {
                Ok(group) => group.cell(method, index, &mut robust, &mut watch),
                Err(failure) => Err(failure.clone()),
            };
            let (outcome, trace) = match outcome {
                Ok(measured) => (Ok((measured.numbers, measured.remark)), measured.trace),
                Err(failure) => (Err(failure), Vec::new()),
            };
            sink.finish(CellResult {
                row: row(plan, key, method, level, outcome),
                seconds: watch.take(),
                trace,
            });
        }
    }
}

/// What a cell that went well leaves.
struct Measured {
    numbers: Measurement,
    /// What a reader of the numbers should know.
    remark: Option<String>,
    /// Of the chosen model's solver.
    trace: Vec<TracePoint>,
}

/// The numbers of a cell with a remark, or why there are none.
type Outcome = Result<(Measurement, Option<String>), Failure>;

/// The fits of a method at one training level.
type RobustFits = Option<(f64, Result<Fits, Failure>)>;

/// What the cells of a group share.
struct Group<'a> {
    plan: &'a Plan,
    /// The hyper-parameters tried on its dataset.
    grid: &'a Grid,
    seeds: CellSeed,
    prepared: Prepared,
    /// γ of the sets around validation and test points, one a level.
    sizes: Vec<f64>,
    /// One a level.
    noisy: Vec<NoisyTest>,
    families: Vec<Family>,
}

/// What the methods with one feature map, one solver and one rule for the intercept share.
struct Family {
    map: MapPlan,
    solver: SolverName,
    intercept: Intercept,
    blocks: OnceCell<Result<Vec<Block>, Failure>>,
    nominal: OnceCell<Result<Fits, Failure>>,
}

impl<'a> Group<'a> {
    fn prepare(plan: &'a Plan, key: GroupKey) -> Result<Self, Failure> {
        let seeds = plan.seeds(key);
        let prepared = prepare(plan, key).map_err(Failure::failed)?;
        let (kind, n) = (plan.level_kind, prepared.train.features());
        let sizes = plan.levels.iter().map(|&l| kind.evaluation_size(l, n));
        let sizes: Vec<f64> = sizes
            .collect::<Result<_, CoreError>>()
            .map_err(Failure::failed)?;
        let draw = |&size: &f64| {
            let noise = kind.test_noise(size);
            NoisyTest::draw(&prepared, noise, &plan.evaluation, &seeds)
        };
        let noisy = sizes.iter().map(draw).collect();
        let mut families: Vec<Family> = Vec::new();
        for method in &plan.methods {
            if !families.iter().any(|family| family.serves(method)) {
                families.push(Family {
                    map: method.map.clone(),
                    solver: method.solver,
                    intercept: method.intercept,
                    blocks: OnceCell::new(),
                    nominal: OnceCell::new(),
                });
            }
        }
        Ok(Self {
            plan,
            grid: &plan.grids[key.task],
            seeds,
            prepared,
            sizes,
            noisy,
            families,
        })
    }

    /// The outcome of `method` at the level with `index`; `robust` holds the method's last robust fits.
    fn cell(
        &self,
        method: &MethodPlan,
        index: usize,
        robust: &mut RobustFits,
        watch: &mut Stopwatch,
    ) -> Result<Measured, Failure> {
        let rows = self.prepared.train.rows();
        if let Some(limit) = method.max_train_rows.filter(|limit| rows > *limit) {
            return Err(Failure {
                status: Status::Skipped,
                reason: format!("{rows} training rows are above the method's limit of {limit}"),
            });
        }
        let family = self.families.iter().find(|family| family.serves(method));
        let family = family.expect("every method has a family");
        let train_level = method.train_level(self.plan.levels[index]);
        let fits = if train_level == 0.0 {
            let nominal = || self.fits(family, method, 0.0, watch);
            family.nominal.get_or_init(nominal)
        } else {
            if robust.as_ref().is_none_or(|(at, _)| *at != train_level) {
                *robust = Some((train_level, self.fits(family, method, train_level, watch)));
            }
            robust.as_ref().map(|(_, fits)| fits).expect("just set")
        };
        let fits = fits.as_ref().map_err(Failure::clone)?;
        guarded(|| self.measure(method, fits, index, watch))
    }

    fn fits(
        &self,
        family: &Family,
        method: &MethodPlan,
        train_level: f64,
        watch: &mut Stopwatch,
    ) -> Result<Fits, Failure> {
        let grid = self.grid;
        let training = Training {
            robustness: method.robustness,
            solver: method.solver,
            intercept: method.intercept,
            gamma: self.training_size(method, train_level)?,
            seeds: &self.seeds,
            parallel: false,
        };
        let make = || {
            guarded(|| {
                let work = || blocks(&family.map, grid, &self.prepared, &self.seeds);
                watch
                    .time(|s| &mut s.features, work)
                    .map_err(Failure::failed)
            })
        };
        let blocks = family.blocks.get_or_init(make).as_ref();
        let blocks = blocks.map_err(Failure::clone)?;
        let lambdas = &grid.lambda;
        guarded(|| Ok(fit_all(blocks, lambdas, &training, &self.prepared, watch)))
    }

    /// γ of the training points at `train_level`, before their relative sizes.
    fn training_size(&self, method: &MethodPlan, train_level: f64) -> Result<f64, Failure> {
        let n = self.prepared.train.features();
        let size = self
            .plan
            .level_kind
            .training_size(train_level, n, &method.map);
        size.map_err(Failure::failed)
    }

    /// Selects and measures at the level with `index`.
    fn measure(
        &self,
        method: &MethodPlan,
        fits: &Fits,
        index: usize,
        watch: &mut Stopwatch,
    ) -> Result<Measured, Failure> {
        let size = self.sizes[index];
        let chosen = watch.time(|s| &mut s.select, || select(&fits.candidates, size));
        let Some(chosen) = chosen else {
            let first = fits
                .failures
                .first()
                .expect("no candidate without a failure");
            return Err(first.clone());
        };
        let test = evaluate(
            chosen,
            size,
            &self.prepared,
            &self.noisy[index],
            &self.plan.evaluation,
            &self.seeds,
            watch,
        )?;
        let train_level = method.train_level(self.plan.levels[index]);
        let gamma = self.training_size(method, train_level)?;
        let gamma_mean = self.prepared.mean_size() * gamma;
        let numbers = Measurement {
            n_train: self.prepared.train.rows() as u32,
            n_validation: self.prepared.validation.rows() as u32,
            n_test: self.prepared.test.rows() as u32,
            n_features: self.prepared.train.features() as u32,
            feature_dim: chosen.feature_dim.map(|dim| dim as u32),
            lambda: chosen.lambda,
            sigma: chosen.sigma,
            bound: method.robustness.name().map(str::to_owned),
            solver: method.solver.name().to_owned(),
            iterations: chosen.iterations.map(|count| count as u32),
            objective: chosen.objective,
            dual_objective: chosen.dual_objective,
            relative_gap: chosen.relative_gap,
            gamma_mean,
            accuracy: test.accuracy,
            noisy_accuracy: test.noisy_accuracy,
            attack_error: test.attack_error,
            certified_error: test.certified_error,
            nominal_lambda: chosen.nominal_equivalent.map(|(lambda, _)| lambda),
            nominal_gap: chosen.nominal_equivalent.map(|(_, gap)| gap),
            exact_attack_error: test.exact.map(|(attack, _)| attack),
            exact_certified_error: test.exact.map(|(_, certified)| certified),
            paper_certified_error: test.paper_certified_error,
        };
        Ok(Measured {
            numbers,
            remark: remark(fits),
            trace: chosen.trace.clone(),
        })
    }
}

impl Family {
    fn serves(&self, method: &MethodPlan) -> bool {
        (&self.map, self.solver, self.intercept) == (&method.map, method.solver, method.intercept)
    }
}

/// What a reader should know of candidates that took no part in the selection.
fn remark(fits: &Fits) -> Option<String> {
    let first = fits.failures.first()?;
    Some(format!(
        "{} of {} candidates failed, the first: {}",
        fits.failures.len(),
        fits.failures.len() + fits.candidates.len(),
        first.reason
    ))
}

/// The row of the cell of `method` at `level`.
pub(super) fn row(
    plan: &Plan,
    key: GroupKey,
    method: &MethodPlan,
    level: f64,
    outcome: Outcome,
) -> CellRow {
    let cell = plan.cell(key, method, level);
    let (status, reason, measurement) = match outcome {
        Ok((measurement, remark)) => (Status::Ok, remark, Some(measurement)),
        Err(failure) => (failure.status, Some(failure.reason), None),
    };
    CellRow {
        cell_id: cell.id(),
        dataset: cell.dataset,
        method: cell.method,
        level: cell.level,
        train_level: cell.train_level,
        repeat: cell.repeat,
        status,
        reason,
        seed: plan.seeds(key).number(),
        measurement,
    }
}
