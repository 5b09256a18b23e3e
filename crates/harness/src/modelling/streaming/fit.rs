//! One candidate: its features, its penalty, and the solver.

use super::checkpoint;
use super::error::ScratchError;
use super::progress::{RowProgress, tell};
use super::row_file::RowFile;
use super::scratch::Scratch;
use super::train::{StreamPlan, StreamSolver, StreamTrainError};
use crate::modelling::train::{StreamEnd, TrainError, TrainPlan};
use crate::plan::method::reason;
use crate::plan::{MapPlan, Robustness};
use ndarray::{Array1, Array2};
use robust_svm_core::features::{Features, Identity, Nystrom, Rff, uniform_landmarks};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::FeatureModel;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::seed::CellSeed;
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::stream::{
    BlockFeatures, BlockSource as _, Radii, StreamError, StreamProblem, StreamSettings,
    StreamState, solve_stream, train_stream,
};
use robust_svm_solvers::{InteriorPointSettings, RelativeGap, Status, StochasticSettings};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Blocks between two looks at the progress.
const LOOK: usize = 16;
/// Checkpoints of a training that goes over the rows as often as it may, at least.
const CHECKPOINTS: usize = 16;
/// Blocks between two checkpoints, at most.
const MOST_BETWEEN: usize = 1024;

/// λ and σ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) number: usize,
    pub(super) lambda: f64,
    pub(super) sigma: Option<f64>,
}

/// A trained candidate.
#[derive(Debug)]
pub(super) struct Fit {
    pub(super) model: FeatureModel,
    pub(super) relative_gap: f64,
    pub(super) ended: StreamEnd,
}

/// What all candidates are fitted to.
pub(super) struct Data<'a> {
    pub(super) rows: &'a RowFile,
    /// Some training rows, scaled.
    pub(super) sample: &'a Array2<f64>,
    pub(super) set: &'a UncertaintySet,
    pub(super) seeds: &'a CellSeed,
    pub(super) scratch: &'a Scratch,
}

/// The features of a candidate.
pub(super) fn features(
    plan: &TrainPlan,
    data: &Data<'_>,
    candidate: &Candidate,
) -> Result<Features, StreamTrainError> {
    let n = data.rows.width();
    let Some(sigma) = candidate.sigma else {
        return Ok(Features::Identity(Identity::new(n)));
    };
    let kernel = GaussianKernel::new(sigma).map_err(StreamTrainError::numerical)?;
    match &plan.map {
        MapPlan::Rff { dims, .. } => {
            let map = Rff::draw(kernel, n, dims[0], &mut data.seeds.stream("rff"));
            let map = map.map_err(StreamTrainError::numerical)?;
            Ok(Features::Rff(Arc::new(map)))
        }
        MapPlan::Nystrom { landmarks, .. } => {
            let mut rng = data.seeds.stream("landmarks");
            let points = uniform_landmarks(data.sample.view(), landmarks[0], &mut rng)
                .and_then(|points| Nystrom::new(kernel, points));
            let map = points.map_err(StreamTrainError::numerical)?;
            Ok(Features::Nystrom(Arc::new(map)))
        }
        MapPlan::Identity | MapPlan::ExactKernel => Ok(Features::Identity(Identity::new(n))),
    }
}

/// Γ and A of the bound, the same for all rows.
fn penalty(
    plan: &TrainPlan,
    data: &Data<'_>,
    features: &Features,
) -> Result<(f64, PenaltyMatrix), StreamTrainError> {
    let Robustness::Bound(bound) = plan.robustness else {
        return Ok((0.0, PenaltyMatrix::Orthogonal));
    };
    let refused = |reason| TrainError::Bound {
        bound: bound.name(),
        reason,
    };
    let sets = data.set.into();
    bound
        .holds_for(&sets)
        .map_err(|error| refused(reason(error)))?;
    let x = data.sample.view();
    let FeaturePenalty { radii, matrix } = bound
        .penalty(features, &sets, x, plan.gamma)
        .map_err(StreamTrainError::numerical)?;
    // Where the radius depends on the row, so it does in the sample.
    let first = radii.first().copied().unwrap_or(0.0);
    let common = matches!(
        matrix,
        PenaltyMatrix::Orthogonal | PenaltyMatrix::Diagonal(_)
    );
    if !common || radii.iter().any(|radius| *radius != first) {
        let help = "on rows that do not fit into memory, bounds with one radius for all rows are trained on: \
                    geodesic or arcs of rff, projection of nystrom, exact of identity; or --stream never";
        return Err(refused(help.to_owned()).into());
    }
    Ok((first, matrix))
}

/// Trains a candidate; by the stochastic method from its last checkpoint where there is one.
///
/// # Errors
/// [`StreamTrainError`] if rows cannot be read, a checkpoint cannot be written, or the numbers fail.
pub(super) fn fit(
    plan: &StreamPlan<'_>,
    data: &Data<'_>,
    candidate: &Candidate,
) -> Result<Fit, StreamTrainError> {
    let features = features(&plan.train, data, candidate)?;
    let (radius, matrix) = penalty(&plan.train, data, &features)?;
    let map = BlockFeatures::new(features.clone()).map_err(StreamTrainError::numerical)?;
    let problem = StreamProblem::new(data.rows, &map, candidate.lambda)
        .and_then(|problem| problem.with_penalty(Radii::Equal(radius), &matrix))
        .map_err(StreamTrainError::numerical)?;
    let Solved {
        zeta,
        intercept,
        gap,
        ended,
    } = match plan.solver {
        StreamSolver::Stochastic => stochastic(plan, data, candidate, &problem)?,
        StreamSolver::InteriorPoint => interior_point(plan, &problem)?,
    };
    if !gap.value().is_finite() {
        let reason = "the solver's iterates left the finite range".to_owned();
        return Err(TrainError::Failed(reason).into());
    }
    Ok(Fit {
        model: FeatureModel {
            features,
            zeta,
            intercept,
        },
        relative_gap: gap.value(),
        ended,
    })
}

/// ζ, b, the certified gap, and how it was come by.
struct Solved {
    zeta: Array1<f64>,
    intercept: f64,
    gap: RelativeGap,
    ended: StreamEnd,
}

/// What ended a solver with this status, which makes at most what `limit` says.
fn ended(status: Status, limit: StreamEnd) -> StreamEnd {
    match status {
        Status::Solved => StreamEnd::Tolerance,
        Status::IterationLimit => limit,
        Status::Stalled => StreamEnd::Stalled,
        Status::NumericalError => StreamEnd::NotFinite,
    }
}

/// The certified relative gap that the solver is to come to.
pub(super) fn tolerance(plan: &StreamPlan<'_>) -> f64 {
    plan.tolerance.unwrap_or_else(|| match plan.solver {
        StreamSolver::Stochastic => StreamSettings::default().steps.tolerance,
        StreamSolver::InteriorPoint => InteriorPointSettings::default().tolerance,
    })
}

fn interior_point(
    plan: &StreamPlan<'_>,
    problem: &StreamProblem<'_>,
) -> Result<Solved, StreamTrainError> {
    let settings = InteriorPointSettings {
        tolerance: tolerance(plan),
        parallel: true,
        ..InteriorPointSettings::default()
    };
    let solution = solve_stream(problem, &settings).map_err(solver_error)?;
    Ok(Solved {
        zeta: solution.zeta,
        intercept: solution.intercept,
        gap: solution.relative_gap,
        ended: ended(solution.status, StreamEnd::Iterations),
    })
}

fn stochastic(
    plan: &StreamPlan<'_>,
    data: &Data<'_>,
    candidate: &Candidate,
    problem: &StreamProblem<'_>,
) -> Result<Solved, StreamTrainError> {
    let settings = settings(plan, data.rows.blocks());
    let checkpoint_every = checkpoint_every(plan, data.rows.blocks());
    let mut state = if let Some(state) = checkpoint::read(data.scratch, candidate.number)? {
        let (epochs, most) = (state.epochs(), settings.steps.epochs);
        let line = format!("training goes on from a checkpoint, after {epochs} of {most} epochs");
        tell(plan.show, &line);
        state
    } else {
        let mut rng = data.seeds.stream("stochastic");
        StreamState::new(problem, &settings, &mut rng).map_err(StreamTrainError::numerical)?
    };
    let (rows, blocks) = (data.rows.rows(), data.rows.blocks());
    let done = |state: &StreamState| state.epochs() * blocks + state.blocks_done();
    let rows_of = |done: usize| done / blocks * rows + done % blocks * rows / blocks;
    let (mut last, mut written) = (done(&state), Ok(()));
    let mut shown = rows_of(last);
    let total = settings.steps.epochs * rows;
    let mut progress = RowProgress::start(plan.show, "training", total, shown);
    // Inside of the pool, so that the threads need not be woken anew for every few rows.
    let solution = rayon::scope(|_| {
        train_stream(problem, &settings, &mut state, &mut |now| {
            let now_done = done(now.state);
            progress.add(rows_of(now_done) - shown);
            shown = rows_of(now_done);
            if now_done - last >= checkpoint_every {
                last = now_done;
                written = checkpoint::write(data.scratch, candidate.number, now.state);
            }
            match &written {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })
    });
    written?;
    let solution = solution.map_err(solver_error)?;
    Ok(Solved {
        zeta: solution.zeta,
        intercept: solution.intercept,
        gap: solution.relative_gap,
        ended: ended(solution.status, StreamEnd::Epochs(settings.steps.epochs)),
    })
}

/// How often the stochastic method goes over the rows at most.
pub(super) fn epochs(plan: &StreamPlan<'_>) -> usize {
    let defaults = StreamSettings::default();
    plan.epochs.unwrap_or(defaults.steps.epochs)
}

/// Blocks between two checkpoints: by default few enough for some in a training of any size. No byte of the
/// result depends on it.
fn checkpoint_every(plan: &StreamPlan<'_>, blocks: usize) -> usize {
    let default = || (epochs(plan) * blocks / CHECKPOINTS).clamp(1, MOST_BETWEEN);
    plan.checkpoint_every.unwrap_or_else(default)
}

fn settings(plan: &StreamPlan<'_>, blocks: usize) -> StreamSettings {
    let defaults = StreamSettings::default();
    let epochs = epochs(plan);
    StreamSettings {
        steps: StochasticSettings {
            epochs,
            certify_every: defaults.steps.certify_every.min(epochs),
            tolerance: tolerance(plan),
            ..defaults.steps
        },
        observe_every: LOOK.min(checkpoint_every(plan, blocks)),
        parallel: true,
    }
}

/// A block that cannot be read is told as what it is.
fn solver_error(error: StreamError) -> StreamTrainError {
    match error {
        StreamError::Source(source) => match source.downcast::<ScratchError>() {
            Ok(error) => StreamTrainError::Scratch(*error),
            Err(other) => StreamTrainError::numerical(other),
        },
        other => StreamTrainError::numerical(other),
    }
}
