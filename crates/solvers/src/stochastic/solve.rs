//! The loop of the stochastic methods.

use super::averages::{Sums, Tail};
use super::batch::Batch;
use super::best::Best;
use super::iterate::Iterate;
use super::settings::StochasticSettings;
use super::solution::StochasticSolution;
use super::steps::Steps;
use crate::{SolverError, Status, SublinearProblem};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;

/// Runs a stochastic method on `problem` until the certified relative gap is `settings.tolerance` or the epochs
/// are over; `rng` orders the samples of each epoch.
///
/// The best certified primal and dual points are returned, whatever the [`Status`]. Deterministic, on the calling thread,
/// O(LD) an epoch for most penalties, in O(L + D) memory beside the problem; a penalty that does not implement
/// [`values_of`](crate::SublinearPenalty::values_of) and
/// [`add_subgradients_of`](crate::SublinearPenalty::add_subgradients_of) costs all samples at every step.
///
/// # Errors
/// [`SolverError::Setting`] for settings out of range. A solve that does not reach the tolerance is not an
/// error: see [`StochasticSolution::status`] and [`StochasticSolution::relative_gap`].
pub fn solve_stochastic(
    problem: &SublinearProblem<'_>,
    settings: &StochasticSettings,
    rng: &mut ChaCha20Rng,
) -> Result<StochasticSolution, SolverError> {
    settings.check(problem)?;
    let (samples, dim) = problem.features().dim();
    let size = settings.batch.min(samples);
    let mut order: Vec<usize> = (0..samples).collect();
    let mut batch = Batch::new(size, dim);
    let mut sums = Tail::new(|| Sums::zeros(samples, dim));
    let rule = (problem.intercept(), problem.lambda());
    let mut steps = Steps::new((samples, dim), rule, settings);
    let (mut x, mut v) = (Iterate::zeros(dim), Iterate::zeros(dim));
    let mut best = Best::new(problem);
    let mut epoch = 0;
    let status = loop {
        if epoch == settings.epochs {
            break Status::IterationLimit;
        }
        order.shuffle(rng);
        for rows in order.chunks(size) {
            sums.epoch.add_point(&x, rows.len() as f64 / samples as f64);
            batch.evaluate(problem, rows, &x, &mut v, &mut sums.epoch);
            steps.advance(&mut x, &v, rows.len());
        }
        if !x.is_finite() {
            break Status::NumericalError;
        }
        epoch += 1;
        sums.epoch.epochs = 1;
        sums.end_epoch();
        if epoch % settings.certify_every == 0 || epoch == settings.epochs {
            best.update(problem, &sums.current);
            if best.gap(epoch) <= settings.tolerance {
                break Status::Solved;
            }
        }
    };
    Ok(best.into_solution(problem, (epoch, status)))
}
