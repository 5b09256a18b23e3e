//! The loop of the bundle method.

use super::incumbent::{Incumbent, Point};
use super::master::{Master, MasterEnd, solve_master};
use super::pieces::{Cut, Pieces};
use super::settings::BundleSettings;
use super::solution::BundleSolution;
use crate::{InteriorPointSettings, Problem, SolverError, Status, SublinearProblem, solve};
use ndarray::Array1;
use robust_svm_core::penalty::FeaturePenalty;

/// A master problem is solved to this share of the gap.
const INNER_SHARE: f64 = 0.1;
/// The nominal problem, whose solution starts the method, is solved to this gap.
const NOMINAL_GAP: f64 = 1e-2;
/// Pieces are wanted where the model is lower than the loss by this share of the gap aimed at, over all samples.
const UNSEEN_SHARE: f64 = 0.1;
/// How far from the incumbent towards the candidate the second cut is made.
const NEARBY: f64 = 0.2;
/// Evaluations of a search along a line.
const SEARCH_STEPS: usize = 8;
/// Progress is a lower bound that rises by this share of the gap. Without it no piece is dropped, for the master
/// problem was too loosely solved to tell which are dead, and the next is solved by this much better.
const PROGRESS: f64 = 0.02;
const REFINEMENT: f64 = 0.3;
const SMALLEST_SHARE: f64 = 1e-3;
/// So many master problems without a better gap end the solve.
const PATIENCE: usize = 40;

/// Solves `problem` to a certified relative gap of `settings.tolerance`.
///
/// Primal points are evaluated exactly and dual points are sound whatever the accuracy of the master problems;
/// the best of both are returned, whatever the [`Status`]. Deterministic, on the calling thread. A Newton step
/// costs O(M D² + D³), M ≥ L the number of pieces; memory holds two copies of them and a few L × D matrices.
///
/// # Errors
/// [`SolverError::Setting`] for settings out of range. A solve that does not reach the tolerance is not an
/// error: see [`BundleSolution::status`] and [`BundleSolution::relative_gap`].
pub fn solve_bundle(
    problem: &SublinearProblem<'_>,
    settings: &BundleSettings,
) -> Result<BundleSolution, SolverError> {
    settings.check()?;
    let mut incumbent = Incumbent::new(problem);
    let nominal = Point::new(problem, nominal_weights(problem)?);
    let z = problem.penalty_subgradients(nominal.zeta.view());
    let mut pieces = Pieces::new(problem, z.view());
    incumbent.primal = search(problem, &incumbent.primal, &nominal);

    let (mut iterations, mut newton_steps) = (0, 0);
    let mut share = INNER_SHARE;
    let (mut last_gap, mut last_better) = (f64::INFINITY, 0);
    let status = loop {
        let gap = incumbent.gap(iterations);
        if gap <= settings.tolerance {
            break Status::Solved;
        }
        if gap < last_gap {
            (last_gap, last_better) = (gap, iterations);
        }
        if iterations - last_better >= PATIENCE {
            break Status::Stalled;
        }
        if iterations == settings.max_iterations {
            break Status::IterationLimit;
        }
        let aim = share * gap.min(1.0).max(settings.tolerance);
        let master = solve_master(problem, &pieces, aim);
        iterations += 1;
        newton_steps += master.steps;
        if master.end == MasterEnd::NumericalError {
            break Status::NumericalError;
        }
        let needed = incumbent.lower + PROGRESS * (incumbent.primal.value - incumbent.lower);
        let progress = master.lower >= needed;
        share = if progress {
            INNER_SHARE
        } else {
            (REFINEMENT * share).max(SMALLEST_SHARE)
        };
        incumbent.try_dual(problem, &pieces, &master);
        let cuts = improve(problem, settings, &mut incumbent, &pieces, &master);
        let slacks = progress.then(|| pieces.slacks(&master.zeta, master.intercept));
        pieces = pieces.next(problem, (slacks.as_deref(), &master.beta), &cuts, settings);
    };
    let counts = (iterations, newton_steps, pieces.len());
    Ok(incumbent.into_solution(problem, counts, status))
}

/// ζ of the problem without the penalty.
fn nominal_weights(problem: &SublinearProblem<'_>) -> Result<Array1<f64>, SolverError> {
    let none = FeaturePenalty::none(problem.y().len());
    let (features, y) = (problem.features(), problem.y());
    let nominal = Problem::new(features.view(), y.view(), &none, problem.lambda())?
        .with_intercept(problem.intercept());
    let settings = InteriorPointSettings {
        tolerance: NOMINAL_GAP,
        ..InteriorPointSettings::default()
    };
    Ok(solve(&nominal, &settings)?.zeta)
}

/// Moves the incumbent towards the master's solution, and cuts there.
fn improve(
    problem: &SublinearProblem<'_>,
    settings: &BundleSettings,
    incumbent: &mut Incumbent,
    pieces: &Pieces,
    master: &Master,
) -> [Cut; 2] {
    let candidate = Point::new(problem, master.zeta.clone());
    incumbent.try_primal(Point::new(problem, master.dual_zeta.clone()));
    let best = search(problem, &incumbent.primal, &candidate);
    incumbent.try_primal(best);
    let nearby = incumbent.primal.towards(problem, &candidate, NEARBY);

    let unseen =
        UNSEEN_SHARE * settings.tolerance * incumbent.primal.value / pieces.samples() as f64;
    let intercept = master.intercept;
    [
        cut(problem, pieces, &candidate, intercept, unseen),
        cut(problem, pieces, &nearby, nearby.intercept, unseen),
    ]
}

/// The pieces of the samples whose loss at `point` the model misses by more than `unseen`.
fn cut(
    problem: &SublinearProblem<'_>,
    pieces: &Pieces,
    point: &Point,
    intercept: f64,
    unseen: f64,
) -> Cut {
    let model = pieces.losses(&point.zeta, intercept);
    let losses = point.losses(problem.y(), intercept);
    let wanted = losses
        .iter()
        .zip(&model)
        .map(|(loss, model)| loss - model > unseen);
    Cut {
        wanted: wanted.collect(),
        z: problem.penalty_subgradients(point.zeta.view()),
    }
}

/// The best point found on the way from `from` to `to`, by golden sections: P is convex.
fn search(problem: &SublinearProblem<'_>, from: &Point, to: &Point) -> Point {
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (0.0, 1.0);
    let at = |t: f64| from.towards(problem, to, t);
    let (mut left, mut right) = (at(1.0 - ratio), at(ratio));
    let mut best = if to.value < from.value {
        to.clone()
    } else {
        from.clone()
    };
    for _ in 0..SEARCH_STEPS {
        let is_left = left.value <= right.value;
        let better = if is_left { &left } else { &right };
        if better.value < best.value {
            best = better.clone();
        }
        if is_left {
            high = low + ratio * (high - low);
            right = left;
            left = at(high - ratio * (high - low));
        } else {
            low = high - ratio * (high - low);
            left = right;
            right = at(low + ratio * (high - low));
        }
    }
    best
}
