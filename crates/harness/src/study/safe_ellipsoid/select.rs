//! The candidates of each method, and the one with the least validation loss.

use super::plan::{Method, SafePlan};
use super::prepare::{Noisy, Prepared};
use crate::run::failure::Failure;
use ndarray::{Array1, Array2};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_solvers::{
    InteriorPointSettings, Problem, SafeProblem, SafeStatus, Solution, solve, solve_safe,
};

/// Solutions with a larger certified gap are no candidates.
const LARGEST_GAP: f64 = 1e-6;

/// A trained classifier.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) lambda: f64,
    /// The scales of its ellipsoid (n); none of the nominal method.
    pub(super) s: Option<Array1<f64>>,
    pub(super) solution: Solution,
    /// The sum of the validation losses.
    pub(super) loss: f64,
    /// Of the safe method.
    pub(super) descent: Option<Descended>,
}

/// How the safe method's descent ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Descended {
    pub(super) status: SafeStatus,
    pub(super) combined_gradient: f64,
    /// The loss of the sphere it started from.
    pub(super) start_loss: f64,
    pub(super) lower_solves: usize,
}

/// The best candidate of each method at one level, in the order of [`Method::ALL`]: the one with the least validation
/// loss, ties to the larger λ and then the larger γ.
pub(super) fn select(
    plan: &SafePlan,
    prepared: &Prepared,
    level: f64,
) -> Result<[Candidate; 3], Failure> {
    let (train, validation) = (prepared.train(level), prepared.validation(level));
    let mut best: [Option<Candidate>; 3] = [None, None, None];
    for &lambda in plan.lambda.iter().rev() {
        let spheres = plan.gamma.iter().rev();
        let spheres = spheres.map(|&radius| sphere(&train, &validation, lambda, radius));
        let mut sphere_of_lambda = None;
        for sphere in spheres {
            keep_better(&mut sphere_of_lambda, sphere?);
        }
        let nominal = sphere(&train, &validation, lambda, 0.0)?;
        let safe = match &sphere_of_lambda {
            Some(start) => ellipsoid(plan, &train, &validation, start)?,
            None => None,
        };
        let [best_safe, best_robust, best_nominal] = &mut best;
        keep_better(best_safe, safe);
        keep_better(best_robust, sphere_of_lambda);
        keep_better(best_nominal, nominal);
    }
    let found: Vec<Candidate> = Method::ALL
        .into_iter()
        .zip(best)
        .map(|(method, best)| {
            best.ok_or_else(|| {
                Failure::failed(format!("no candidate of {} was solved", method.name()))
            })
        })
        .collect::<Result<_, _>>()?;
    Ok(found.try_into().expect("one a method"))
}

/// The first of equals stays.
fn keep_better(best: &mut Option<Candidate>, candidate: Option<Candidate>) {
    if let Some(candidate) = candidate
        && best.as_ref().is_none_or(|best| candidate.loss < best.loss)
    {
        *best = Some(candidate);
    }
}

/// The SVM robust to the ball of that radius (nominal where it is 0); none if it is not solved.
fn sphere(
    train: &Noisy,
    validation: &Noisy,
    lambda: f64,
    radius: f64,
) -> Result<Option<Candidate>, Failure> {
    let penalty = FeaturePenalty {
        radii: Array1::from_elem(train.y.len(), radius),
        matrix: PenaltyMatrix::Orthogonal,
    };
    let problem = Problem::new(train.x.view(), train.y.view(), &penalty, lambda)?;
    let solution = solve(&problem, &InteriorPointSettings::default())?;
    Ok(is_solved(&solution).then(|| Candidate {
        lambda,
        s: (radius > 0.0).then(|| Array1::from_elem(train.x.ncols(), radius)),
        loss: loss(validation, &solution),
        solution,
        descent: None,
    }))
}

/// The safe SVM, from the sphere `start`; none if it is not solved.
fn ellipsoid(
    plan: &SafePlan,
    train: &Noisy,
    validation: &Noisy,
    start: &Candidate,
) -> Result<Option<Candidate>, Failure> {
    let problem = SafeProblem::new(
        (train.x.view(), train.y.view()),
        (validation.x.view(), validation.y.view()),
        start.lambda,
    )?;
    let s = start.s.as_ref().expect("a sphere has scales");
    let starts = Array2::from_shape_fn((1, s.len()), |(_, t)| s[t]);
    let found = solve_safe(&problem, starts.view(), &plan.settings)?;
    let descent = &found.descents[found.start];
    Ok(is_solved(&found.lower).then(|| Candidate {
        lambda: start.lambda,
        descent: Some(Descended {
            status: found.status,
            combined_gradient: found.combined_gradient,
            start_loss: descent.steps[0].upper_objective,
            lower_solves: descent.lower_solves,
        }),
        s: Some(found.s),
        loss: found.upper_objective,
        solution: found.lower,
    }))
}

/// A gap that is NaN is no small gap.
fn is_solved(solution: &Solution) -> bool {
    solution.relative_gap.value() <= LARGEST_GAP
}

/// `Σ_j max{0, 1 − y_j f(x_j)}`.
fn loss(rows: &Noisy, solution: &Solution) -> f64 {
    let f = rows.x.dot(&solution.zeta) + solution.intercept;
    let losses = f.iter().zip(&rows.y).map(|(f, y)| (1.0 - y * f).max(0.0));
    losses.sum()
}
