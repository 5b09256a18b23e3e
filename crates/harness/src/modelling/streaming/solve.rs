//! The solvers on a stream, from the last checkpoint to the next.

use super::checkpoint;
use super::error::ScratchError;
use super::fit::Data;
use super::gap_progress::GapProgress;
use super::train::{StreamPlan, StreamSolver, StreamTrainError};
use crate::modelling::progress::{RowProgress, tell};
use crate::modelling::train::StreamEnd;
use ndarray::Array1;
use robust_svm_solvers::stream::{
    BlockSource as _, InteriorPointState, StreamError, StreamProblem, StreamSettings, StreamState,
    solve_stream, train_stream,
};
use robust_svm_solvers::{InteriorPointSettings, RelativeGap, Status, StochasticSettings};
use std::ops::ControlFlow;

/// Blocks between two looks at the progress.
const LOOK: usize = 16;

/// Parts of a training that goes over the rows as often as it may, between which there are checkpoints.
const CHECKPOINTS: usize = 16;
/// Blocks between two checkpoints, at most.
const MOST_BETWEEN: usize = 1024;

/// ζ, b, the certified gap, and how it was come by.
pub(super) struct Solved {
    pub(super) zeta: Array1<f64>,
    pub(super) intercept: f64,
    pub(super) gap: RelativeGap,
    pub(super) ended: StreamEnd,
}

/// The checkpoints of one candidate.
struct Checkpoints<'a> {
    data: &'a Data<'a>,
    candidate: usize,
    /// Blocks from one to the next.
    every: usize,
    /// Blocks done at the last.
    last: usize,
    written: Result<(), ScratchError>,
}

impl Checkpoints<'_> {
    /// Writes `state` if enough blocks are done since the last; whether to go on.
    fn at(&mut self, blocks: usize, state: impl FnOnce() -> Vec<u8>) -> ControlFlow<()> {
        if blocks - self.last >= self.every {
            self.last = blocks;
            self.written = checkpoint::write(self.data.scratch, self.candidate, &state());
        }
        match &self.written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

/// By the interior-point method. A checkpoint is that of the head of an iteration, 8 to 13 passes over the blocks after the one before.
///
/// # Errors
/// [`StreamTrainError`] if rows cannot be read, a checkpoint cannot be written, or the numbers fail.
pub(super) fn interior_point(
    plan: &StreamPlan<'_>,
    data: &Data<'_>,
    candidate: usize,
    problem: &StreamProblem<'_>,
) -> Result<Solved, StreamTrainError> {
    let settings = InteriorPointSettings {
        tolerance: tolerance(plan),
        parallel: true,
        ..InteriorPointSettings::default()
    };
    let last = checkpoint::read(data.scratch, candidate, |bytes| {
        InteriorPointState::from_bytes(bytes).ok()
    })?;
    if last.is_some() {
        tell(plan.show, "training goes on from a checkpoint");
    }
    let mut state = last.unwrap_or_else(|| InteriorPointState::new(problem));
    let mut checkpoints = Checkpoints {
        data,
        candidate,
        // An iteration is many passes, so that each is worth a checkpoint.
        every: plan.checkpoint_every.unwrap_or(1),
        last: 0,
        written: Ok(()),
    };
    let mut progress = GapProgress::start(plan.show, "training", settings.tolerance);
    // Inside of the pool, so that the threads need not be woken anew for every block.
    let solution = rayon::scope(|_| {
        solve_stream(problem, &settings, &mut state, &mut |now| {
            progress.reached(now.iterations, now.relative_gap.value());
            checkpoints.at(now.blocks_read, || now.state.to_bytes())
        })
    });
    checkpoints.written?;
    let solution = solution.map_err(solver_error)?;
    Ok(Solved {
        zeta: solution.zeta,
        intercept: solution.intercept,
        gap: solution.relative_gap,
        ended: ended(solution.status, StreamEnd::Iterations),
    })
}

/// By the stochastic method.
///
/// # Errors
/// As [`interior_point`].
pub(super) fn stochastic(
    plan: &StreamPlan<'_>,
    data: &Data<'_>,
    candidate: usize,
    problem: &StreamProblem<'_>,
) -> Result<Solved, StreamTrainError> {
    let settings = settings(plan, data.rows.blocks());
    let last = checkpoint::read(data.scratch, candidate, |bytes| {
        StreamState::from_bytes(bytes).ok()
    })?;
    let mut state = if let Some(state) = last {
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
    let mut checkpoints = Checkpoints {
        data,
        candidate,
        every: checkpoint_every(plan, blocks),
        last: done(&state),
        written: Ok(()),
    };
    let mut shown = rows_of(checkpoints.last);
    let total = settings.steps.epochs * rows;
    let mut progress = RowProgress::start(plan.show, "training", total, shown);
    // Inside of the pool, as above.
    let solution = rayon::scope(|_| {
        train_stream(problem, &settings, &mut state, &mut |now| {
            let now_done = done(now.state);
            progress.add(rows_of(now_done) - shown);
            shown = rows_of(now_done);
            checkpoints.at(now_done, || now.state.to_bytes())
        })
    });
    checkpoints.written?;
    let solution = solution.map_err(solver_error)?;
    Ok(Solved {
        zeta: solution.zeta,
        intercept: solution.intercept,
        gap: solution.relative_gap,
        ended: ended(solution.status, StreamEnd::Epochs(settings.steps.epochs)),
    })
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

/// How often the stochastic method goes over the rows at most.
pub(super) fn epochs(plan: &StreamPlan<'_>) -> usize {
    let defaults = StreamSettings::default();
    plan.epochs.unwrap_or(defaults.steps.epochs)
}

/// Blocks between two checkpoints of the stochastic method: by default few enough for some in a training of any size. No byte of the
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
