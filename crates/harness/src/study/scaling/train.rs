//! One training of a cell: rows, map, and the solver on features in memory.

use super::plan::{Cell, ScalingPlan};
use super::row::Trained;
use super::rows::Mixture;
use super::solver::TrainerName;
use super::{train_blocks, train_kernel};
use crate::run::failure::Failure;
use crate::run::stopwatch::Stopwatch;
use crate::spec::MapName;
use crate::store::Status;
use ndarray::{Array1, Array2, ArrayView2};
use robust_svm_bounds::{FeatureBound, MapKind, find};
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::penalty::FeaturePenalty;
use robust_svm_core::uncertainty::{UncertaintySet, UncertaintySets};
use robust_svm_solvers::{
    BundleSettings, DualCoordinateSettings, Intercept, InteriorPointSettings, LocalPenalty,
    Problem, RelativeGap, SafeProblem, SafeSettings, StochasticSettings, SublinearProblem, solve,
    solve_bundle, solve_dual_coordinate, solve_local, solve_safe, solve_stochastic,
};
use std::sync::Arc;

/// What a cell is trained from.
pub(super) struct Task<'a> {
    pub(super) plan: &'a ScalingPlan,
    pub(super) cell: Cell,
    pub(super) solver: TrainerName,
    pub(super) map: MapName,
    pub(super) robust: bool,
    pub(super) lambda: f64,
    pub(super) source: Mixture,
}

impl<'a> Task<'a> {
    fn new(plan: &'a ScalingPlan, cell: Cell) -> Self {
        let method = plan.method(cell);
        let (seeds, sizes) = (plan.seeds(cell), cell.sizes);
        Self {
            plan,
            cell,
            solver: method.solver,
            map: method.map,
            robust: method.robust,
            lambda: plan.lambda(sizes.rows),
            source: Mixture::new(sizes.rows, sizes.inputs, seeds.stream("rows")),
        }
    }

    /// The kernel of maps that have one: `σ = √(2n)`, the root of the mean squared distance between rows of one class.
    pub(super) fn kernel(&self) -> Result<GaussianKernel, Failure> {
        GaussianKernel::new((2.0 * self.cell.sizes.inputs as f64).sqrt()).map_err(Failure::failed)
    }

    /// The map; landmarks are the first rows, which are as random as any.
    pub(super) fn features(&self) -> Result<Features, Failure> {
        let (sizes, seeds) = (&self.cell.sizes, self.plan.seeds(self.cell));
        match self.map {
            MapName::Identity => Ok(Features::Identity(Identity::new(sizes.inputs))),
            MapName::Rff => {
                let rng = &mut seeds.stream("rff");
                let rff = Rff::draw(self.kernel()?, sizes.inputs, sizes.dim, rng);
                Ok(Features::Rff(Arc::new(rff.map_err(Failure::failed)?)))
            }
            MapName::Nystrom => {
                let landmarks = self.source.first_rows(sizes.landmarks);
                let nystrom = Nystrom::new(self.kernel()?, landmarks);
                Ok(Features::Nystrom(Arc::new(
                    nystrom.map_err(Failure::failed)?,
                )))
            }
            MapName::ExactKernel => Err(Failure::failed("the exact kernel has no features")),
        }
    }

    /// Γ and A of the rows `x`: those of the balls of radius γ where the method is robust.
    pub(super) fn penalty(
        &self,
        features: &Features,
        x: ArrayView2<'_, f64>,
    ) -> Result<FeaturePenalty, Failure> {
        let bound = self.plan.method(self.cell).bound().filter(|_| self.robust);
        let Some((name, kind)) = bound.zip(map_kind(self.map)) else {
            return Ok(FeaturePenalty::none(x.nrows()));
        };
        let bound: &dyn FeatureBound =
            find(name, kind).ok_or_else(|| Failure::failed(format!("no bound `{name}`")))?;
        Ok(bound.penalty(features, &balls(), x, self.plan.gamma)?)
    }

    /// `gap`, if it is finite and the solver has done its work.
    pub(super) fn gap(&self, gap: RelativeGap) -> Result<f64, Failure> {
        let gap = gap.value();
        if !gap.is_finite() {
            return Err(Failure {
                status: Status::Diverged,
                reason: "the solver's iterates left the finite range".into(),
            });
        }
        match self.solver.gap_limit(self.plan.tolerance) {
            Some(limit) if gap > limit => Err(Failure::failed(format!(
                "certified relative gap {gap:.1e} is above {limit:.0e}: the work was not done"
            ))),
            _ => Ok(gap),
        }
    }

    /// The settings of an interior-point method.
    pub(super) fn interior_point(&self) -> InteriorPointSettings {
        InteriorPointSettings {
            tolerance: self.plan.tolerance,
            ..InteriorPointSettings::default()
        }
    }

    /// What a method found.
    pub(super) fn trained(
        &self,
        iterations: Option<usize>,
        (objective, dual_objective): (f64, f64),
        gap: RelativeGap,
    ) -> Result<Trained, Failure> {
        Ok(Trained {
            lambda: self.lambda,
            sigma: match self.map {
                MapName::Identity => None,
                _ => Some(self.kernel()?.sigma()),
            },
            iterations: iterations.map(|count| count as u32),
            objective,
            dual_objective,
            relative_gap: self.gap(gap)?,
        })
    }
}

/// Balls of one size around all rows.
pub(super) fn balls() -> UncertaintySets {
    UncertaintySets::from(UncertaintySet::sphere())
}

/// The kind of map in the words of bounds.
fn map_kind(map: MapName) -> Option<MapKind> {
    match map {
        MapName::Identity => Some(MapKind::Identity),
        MapName::Rff => Some(MapKind::Rff),
        MapName::Nystrom => Some(MapKind::Nystrom),
        MapName::ExactKernel => None,
    }
}

/// Trains `cell`; the seconds of its stages go to `watch`.
pub(super) fn train(
    plan: &ScalingPlan,
    cell: Cell,
    watch: &mut Stopwatch,
) -> Result<Trained, Failure> {
    let task = Task::new(plan, cell);
    if task.solver.is_streamed() {
        return train_blocks::train(&task, watch);
    }
    let (x, y) = watch.time(|s| &mut s.prepare, || task.source.all());
    match (task.map, task.solver) {
        (MapName::ExactKernel, _) | (_, TrainerName::Smm) => {
            watch.time(|s| &mut s.solve, || train_kernel::train(&task, x, &y))
        }
        (_, TrainerName::Safe) => {
            let (held_x, held_y) = watch.time(|s| &mut s.prepare, || held_out(&task));
            watch.time(
                |s| &mut s.solve,
                || safe(&task, (&x, &y), (&held_x, &held_y)),
            )
        }
        _ => {
            let mapped = watch.time(
                |s| &mut s.features,
                || {
                    let features = task.features()?;
                    let phi = match task.map {
                        MapName::Identity => None,
                        _ => Some(features.transform(x.view())),
                    };
                    Ok::<_, Failure>((features, phi))
                },
            );
            let (features, phi) = mapped?;
            watch.time(
                |s| &mut s.solve,
                || on_features(&task, &features, (&x, phi.as_ref().unwrap_or(&x)), &y),
            )
        }
    }
}

/// As many rows as those of training, for validation.
fn held_out(task: &Task<'_>) -> (Array2<f64>, Array1<f64>) {
    let (seeds, sizes) = (task.plan.seeds(task.cell), task.cell.sizes);
    Mixture::new(sizes.rows, sizes.inputs, seeds.stream("validation rows")).all()
}

/// A solver on the features `phi` of the inputs `x`.
fn on_features(
    task: &Task<'_>,
    features: &Features,
    (x, phi): (&Array2<f64>, &Array2<f64>),
    y: &Array1<f64>,
) -> Result<Trained, Failure> {
    let (lambda, rows) = (task.lambda, y.view());
    if task.solver == TrainerName::Local {
        let penalty = LocalPenalty::new(features, &balls(), x.view(), task.plan.gamma)?;
        let settings = task.interior_point();
        let found = solve_local(
            phi.view(),
            rows,
            &penalty,
            lambda,
            Intercept::Free,
            &settings,
        )?;
        let values = (found.objective, found.dual_objective);
        return task.trained(Some(found.iterations), values, found.relative_gap);
    }
    let penalty = task.penalty(features, x.view())?;
    let (iterations, values, gap) = match task.solver {
        TrainerName::Bundle => {
            let problem = SublinearProblem::new(phi.view(), rows, &penalty, lambda)?;
            let settings = BundleSettings {
                tolerance: task.plan.tolerance,
                ..BundleSettings::default()
            };
            let found = solve_bundle(&problem, &settings)?;
            let values = (found.objective, found.dual_objective);
            (found.iterations, values, found.relative_gap)
        }
        TrainerName::Stochastic => {
            let problem = SublinearProblem::new(phi.view(), rows, &penalty, lambda)?;
            let settings = fixed_epochs(task.plan.epochs, StochasticSettings::default());
            let mut rng = task.plan.seeds(task.cell).stream("stochastic");
            let found = solve_stochastic(&problem, &settings, &mut rng)?;
            let values = (found.objective, found.dual_objective);
            (found.epochs, values, found.relative_gap)
        }
        TrainerName::DualCoordinate => {
            let problem = Problem::new(phi.view(), rows, &penalty, lambda)?
                .with_intercept(Intercept::Penalised);
            let rng = task.plan.seeds(task.cell).stream("dual-coordinate");
            let settings = DualCoordinateSettings {
                tolerance: task.plan.tolerance,
                ..DualCoordinateSettings::new(rng)
            };
            let found = solve_dual_coordinate(&problem, &settings)?;
            let values = (found.objective, found.dual_objective);
            (found.iterations, values, found.relative_gap)
        }
        _ => {
            let problem = Problem::new(phi.view(), rows, &penalty, lambda)?;
            let found = solve(&problem, &task.interior_point())?;
            let values = (found.objective, found.dual_objective);
            (found.iterations, values, found.relative_gap)
        }
    };
    task.trained(Some(iterations), values, gap)
}

/// `settings` for so many epochs, and one certificate after the last.
pub(super) fn fixed_epochs(epochs: u32, settings: StochasticSettings) -> StochasticSettings {
    let epochs = epochs as usize;
    StochasticSettings {
        epochs,
        certify_every: epochs,
        // The gap is not what ends it.
        tolerance: f64::MIN_POSITIVE,
        ..settings
    }
}

/// The safe SVM; its gap is that of the lower problem, its iterations the lower problems.
fn safe(
    task: &Task<'_>,
    (x, y): (&Array2<f64>, &Array1<f64>),
    (held_x, held_y): (&Array2<f64>, &Array1<f64>),
) -> Result<Trained, Failure> {
    let held = (held_x.view(), held_y.view());
    let problem = SafeProblem::new((x.view(), y.view()), held, task.lambda)?;
    let settings = SafeSettings {
        lower: task.interior_point(),
        ..SafeSettings::default()
    };
    let start = Array2::from_elem((1, x.ncols()), task.plan.gamma);
    let found = solve_safe(&problem, start.view(), &settings)?;
    let solves = found.descents.iter().map(|descent| descent.lower_solves);
    let lower = &found.lower;
    let values = (lower.objective, lower.dual_objective);
    task.trained(Some(solves.sum()), values, lower.relative_gap)
}
