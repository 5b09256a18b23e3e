//! The loop of training on blocks.

use super::certify::{Certificate, certify, estimated_gap};
use super::problem::agree;
use super::solution::{Multipliers, StreamSolution};
use super::state::StreamState;
use super::steps::BlockSteps;
use super::{StreamError, StreamProblem, StreamSettings, order};
use crate::trace::note;
use crate::workers::Workers;
use crate::{RelativeGap, SolverError, Status};
use std::ops::ControlFlow;

/// How far training is, told between two blocks.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Epochs closed.
    pub epoch: usize,
    /// Blocks done of the epoch under way.
    pub blocks_done: usize,
    /// Rows done of the epoch under way.
    pub rows_done: u64,
    /// The mean loss of these rows, each taken before the step that it was in: of the first epoch, an estimate of
    /// that of rows never seen.
    pub mean_loss: f64,
    /// All that a run needs to go on from here.
    pub state: &'a StreamState,
}

/// Runs a stochastic method on `problem` from `state` until the certified relative gap is the tolerance or the epochs are
/// over.
///
/// `observe` is called after every so many blocks and the last of an epoch; where it breaks, training ends with
/// [`StreamError::Stopped`], and a call with the same state goes on. The best certified primal point and the last dual
/// point are returned, whatever the [`Status`]. The result has the same bits for any number of threads, and however often it was
/// stopped or could not read, if `certify_every`, tolerance and epochs are the same: these may change from call to call, and with them which
/// points are judged. A state whose training is over gives the same solution again; with more epochs it goes on, and has judged its end in addition.
///
/// # Errors
/// [`StreamError::Source`] and [`StreamError::Contract`] for what the source does; [`StreamError::Solver`] for
/// settings out of range, a state of another problem, rows that are not finite or labelled −1 or 1, or of one class only. A run
/// that does not reach the tolerance is not an error.
pub fn train_stream(
    problem: &StreamProblem<'_>,
    settings: &StreamSettings,
    state: &mut StreamState,
    observe: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Result<StreamSolution, StreamError> {
    state.check(problem, settings)?;
    let workers = Workers::parallel(settings.parallel);
    let mut steps = BlockSteps::new(problem, settings);
    let mut certified = None;
    let status = loop {
        // At the head, so that a state whose certificate could not be read, or that is solved, begins with it.
        if state.position == 0 && is_due(problem, state, settings) {
            let found = certify(problem, state, workers)?;
            let values = (found.objective, found.dual.value);
            note(&mut state.trace, state.epoch, values);
            certified = Some(found);
            if RelativeGap::new(values.0, values.1).value() <= settings.steps.tolerance {
                break Status::Solved;
            }
        }
        if state.epoch >= settings.steps.epochs {
            break Status::IterationLimit;
        }
        epoch(problem, settings, (state, &mut steps), observe)?;
        certified = None;
        if !(state.x.is_finite() && state.loss.is_finite()) {
            break Status::NumericalError;
        }
        close_epoch(problem, state)?;
    };
    let Certificate { objective, dual } = match certified {
        Some(found) => found,
        None => certify(problem, state, workers)?,
    };
    note(&mut state.trace, state.epoch, (objective, dual.value));
    let best = state.best.clone().expect("ζ = 0 is certified");
    let relative_gap = RelativeGap::new(objective, dual.value);
    Ok(StreamSolution {
        zeta: best.zeta,
        intercept: best.intercept,
        multipliers: Multipliers {
            counts: state.counts.tail.clone(),
            factors: dual.factors,
        },
        objective,
        dual_objective: dual.value,
        relative_gap,
        epochs: state.epoch,
        status: status.judged(relative_gap, settings.steps.tolerance),
        trace: state.trace.clone(),
    })
}

/// How many times the certified gap the estimate by the steps' own losses is at most taken for, and how many times as many epochs as at the
/// last look are not let pass without one, whatever is expected, but where the estimate is farther off than the square of the first, the
/// square of the second, which can be for tolerances below 1 % alone: none of it is a bound.
const OVERESTIMATE: f64 = 10.0;
const LONG: usize = 4;

/// Whether the gap is to be looked at: every `certify_every` epochs, but not where it would have to fall faster than as the inverse
/// square of their number, since it was last known, to be the tolerance, nor where the steps' own losses tell one far above the tolerance,
/// unless the last look is long ago. Averages of the last epochs fall as the inverse in theory, for steps 1/(λt) [Rakhlin et al. 2012], and
/// somewhat faster at first. No result rests on it but when a run ends.
fn is_due(problem: &StreamProblem<'_>, state: &StreamState, settings: &StreamSettings) -> bool {
    let epoch = state.epoch;
    if epoch == 0 || !epoch.is_multiple_of(settings.steps.certify_every) {
        return false;
    }
    let last = state.trace.last().map(|last| last.iteration);
    let estimate = estimated_gap(problem, state) / OVERESTIMATE;
    let long = if estimate > OVERESTIMATE * settings.steps.tolerance {
        LONG * LONG
    } else {
        LONG
    };
    if epoch >= long * last.unwrap_or(settings.steps.certify_every) {
        return true;
    }
    let may_be = |gap: f64| gap <= settings.steps.tolerance || !gap.is_finite();
    match state.trace.last() {
        // Once judged, it is judged again.
        Some(last) if last.iteration == epoch => return true,
        Some(last) => {
            let share = last.iteration as f64 / epoch as f64;
            if !may_be(share * share * last.relative_gap.value()) {
                return false;
            }
        }
        None => {}
    }
    may_be(estimate)
}

/// What is left of an epoch.
fn epoch(
    problem: &StreamProblem<'_>,
    settings: &StreamSettings,
    (state, steps): (&mut StreamState, &mut BlockSteps<'_>),
    observe: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Result<(), StreamError> {
    let blocks = problem.source().blocks();
    let order = order::of_blocks(state.seed, state.epoch, blocks);
    problem.read(&order[state.position..], &mut |block| {
        steps.take(&block, state);
        state.position += 1;
        if !state.position.is_multiple_of(settings.observe_every) && state.position < blocks {
            return Ok(());
        }
        match observe(state.progress()) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(StreamError::Stopped),
        }
    })
}

/// Counts the epoch, and moves the start of the tail.
fn close_epoch(problem: &StreamProblem<'_>, state: &mut StreamState) -> Result<(), StreamError> {
    // The passes of an epoch that was stopped have each some of the blocks.
    let seen = state.seen[0] + state.seen[1];
    agree("rows of an epoch", problem.rows(), seen as usize)?;
    if state.seen.contains(&0) {
        let rows = problem.rows();
        return Err(SolverError::OneClass { rows }.into());
    }
    state.sums.epoch.epochs = 1.0;
    if state.sums.end_epoch() {
        state.counts.shorten();
    }
    state.epoch += 1;
    state.closed_loss = state.loss;
    (state.position, state.seen, state.loss) = (0, [0; 2], 0.0);
    Ok(())
}

impl StreamState {
    fn progress(&self) -> Progress<'_> {
        let rows_done = self.seen[0] + self.seen[1];
        Progress {
            epoch: self.epoch,
            blocks_done: self.position,
            rows_done,
            mean_loss: self.loss / rows_done.max(1) as f64,
            state: self,
        }
    }
}
