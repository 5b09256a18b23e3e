//! The interior-point method on rows in blocks.

use super::samples::StreamSamples;
use super::{InteriorPointState, Radii, StreamError, StreamProblem};
use crate::interior_point::Iterations;
use crate::{InteriorPointSettings, Problem, RelativeGap, Solution};
use ndarray::Array1;
use robust_svm_core::penalty::FeaturePenalty;
use std::ops::ControlFlow;

/// How far a solve is, told between two iterations.
#[derive(Debug, Clone, Copy)]
pub struct InteriorPointProgress<'a> {
    /// Iterations made.
    pub iterations: usize,
    /// The gap between the best points certified so far.
    pub relative_gap: RelativeGap,
    /// Blocks read in this call.
    pub blocks_read: usize,
    /// All that a run needs to go on from here.
    pub state: &'a InteriorPointState,
}

/// [`solve`](crate::solve) on rows in blocks, from `state`: the same method, to the same certified gap, in which every product by
/// the features is a pass over the source that makes them anew.
///
/// `observe` is called after each iteration; where it breaks, the solve ends with [`StreamError::Stopped`], and a call with the same state
/// goes on. The result has the same bits however often it was stopped or could not read; a state whose solve is over gives the same
/// solution again.
///
/// Memory holds some 280 bytes a row, for the iterates and their like, and (D + 2)² numbers; never Φ. An iteration takes 8 to 13
/// passes: one for the weighted Gram matrix, block by block; one for both products at the iterate; two for each of its
/// directions and one for each round of refinement; and one or two for the certificate. Going on takes one more, for the labels. The bits are those of one thread whatever
/// `parallel` is, but not those of the features in memory, as sums are cut elsewhere.
///
/// # Errors
/// [`StreamError::Source`] and [`StreamError::Contract`] for what the source does, whenever it does it;
/// [`StreamError::Solver`] for a state of another problem and what [`solve`](crate::solve) and [`Problem::new`] refuse. A solve that does
/// not reach the tolerance is not an error.
pub fn solve_stream(
    problem: &StreamProblem<'_>,
    settings: &InteriorPointSettings,
    state: &mut InteriorPointState,
    observe: &mut dyn FnMut(InteriorPointProgress<'_>) -> ControlFlow<()>,
) -> Result<Solution, StreamError> {
    settings.check()?;
    state.check(problem)?;
    let y = labels(problem)?;
    let penalty = FeaturePenalty {
        radii: match problem.radii() {
            Radii::Equal(radius) => Array1::from_elem(problem.rows(), radius),
            Radii::Each(radii) => radii.iter().map(|radius| f64::from(*radius)).collect(),
        },
        matrix: problem.matrix().clone(),
    };
    let samples = StreamSamples::new(*problem);
    let solution = Problem::new(&samples, y.view(), &penalty, problem.lambda())
        .map_err(StreamError::from)
        .and_then(|conic| {
            let conic = conic.with_intercept(problem.intercept());
            iterate((&conic, &samples), settings, state, observe)
        });
    match samples.into_failure() {
        Some(failure) => Err(failure),
        None => solution,
    }
}

/// Iterates from `state` until a status is reached. After a pass that failed, whatever is returned, `state` is that of the head of the
/// iteration under way.
fn iterate(
    (conic, samples): (&Problem<'_>, &StreamSamples<'_>),
    settings: &InteriorPointSettings,
    state: &mut InteriorPointState,
    observe: &mut dyn FnMut(InteriorPointProgress<'_>) -> ControlFlow<()>,
) -> Result<Solution, StreamError> {
    let mut iterations = Iterations::new(conic, settings);
    if let Some(at) = &state.at {
        iterations.check(at)?;
    }
    loop {
        let Some(at) = &mut state.at else {
            let start = iterations.start(None);
            if samples.has_failed() {
                return Err(StreamError::Stopped);
            }
            state.at = Some(start);
            continue;
        };
        iterations.forget();
        if let ControlFlow::Break(status) = iterations.next(at) {
            drop(iterations);
            return Ok(at.solution(conic, settings, status));
        }
        let progress = InteriorPointProgress {
            iterations: at.iterations(),
            relative_gap: at.relative_gap(),
            blocks_read: samples.blocks_read(),
            state,
        };
        if observe(progress).is_break() {
            return Err(StreamError::Stopped);
        }
    }
}

/// The labels, by a pass.
fn labels(problem: &StreamProblem<'_>) -> Result<Array1<f64>, StreamError> {
    let mut y = Array1::zeros(problem.rows());
    let order: Vec<usize> = (0..problem.source().blocks()).collect();
    problem.read(&order, &mut |block| {
        for (row, label) in (block.first_row..).zip(block.y) {
            y[row] = f64::from(*label);
        }
        Ok(())
    })?;
    Ok(y)
}
