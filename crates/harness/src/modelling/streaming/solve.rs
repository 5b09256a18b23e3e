//! The solvers on a stream, from the last checkpoint to the next.

use super::checkpoint;
use super::error::ScratchError;
use super::fit::Data;
use super::gap_progress::GapProgress;
use super::progress::RowProgress;
use super::train::{StreamPlan, StreamTrainError};
use ndarray::Array1;
use robust_svm_solvers::stream::{
    BlockSource as _, InteriorPointState, StreamError, StreamProblem, StreamSettings, StreamState,
    solve_stream, train_stream,
};
use robust_svm_solvers::{InteriorPointSettings, RelativeGap, StochasticSettings};
use std::ops::ControlFlow;

/// Blocks between two looks at the progress.
const LOOK: usize = 16;

/// ζ, b and the certified gap.
pub(super) type Solved = (Array1<f64>, f64, RelativeGap);

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
    let defaults = InteriorPointSettings::default();
    let settings = InteriorPointSettings {
        tolerance: plan.tolerance.unwrap_or(defaults.tolerance),
        parallel: true,
        ..defaults
    };
    let last = checkpoint::read(data.scratch, candidate)?;
    let last = last.and_then(|bytes| InteriorPointState::from_bytes(&bytes).ok());
    let mut state = last.unwrap_or_else(|| InteriorPointState::new(problem));
    let mut checkpoints = Checkpoints {
        data,
        candidate,
        every: plan.checkpoint_every,
        last: 0,
        written: Ok(()),
    };
    let mut progress = GapProgress::start(plan.show, "training", settings.tolerance);
    let solution = solve_stream(problem, &settings, &mut state, &mut |now| {
        progress.reached(now.iterations, now.relative_gap.value());
        checkpoints.at(now.blocks_read, || now.state.to_bytes())
    });
    checkpoints.written?;
    let solution = solution.map_err(solver_error)?;
    Ok((solution.zeta, solution.intercept, solution.relative_gap))
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
    let settings = settings(plan);
    let last = checkpoint::read(data.scratch, candidate)?;
    let last = last.and_then(|bytes| StreamState::from_bytes(&bytes).ok());
    let mut state = if let Some(state) = last {
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
        every: plan.checkpoint_every,
        last: done(&state),
        written: Ok(()),
    };
    let mut shown = rows_of(checkpoints.last);
    let total = settings.steps.epochs * rows;
    let mut progress = RowProgress::start(plan.show, "training", total, shown);
    let solution = train_stream(problem, &settings, &mut state, &mut |now| {
        let now_done = done(now.state);
        progress.add(rows_of(now_done) - shown);
        shown = rows_of(now_done);
        checkpoints.at(now_done, || now.state.to_bytes())
    });
    checkpoints.written?;
    let solution = solution.map_err(solver_error)?;
    Ok((solution.zeta, solution.intercept, solution.relative_gap))
}

fn settings(plan: &StreamPlan<'_>) -> StreamSettings {
    let defaults = StreamSettings::default();
    let epochs = plan.epochs.unwrap_or(defaults.steps.epochs);
    StreamSettings {
        steps: StochasticSettings {
            epochs,
            certify_every: defaults.steps.certify_every.min(epochs),
            tolerance: plan.tolerance.unwrap_or(defaults.steps.tolerance),
            ..defaults.steps
        },
        observe_every: LOOK.min(plan.checkpoint_every),
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
