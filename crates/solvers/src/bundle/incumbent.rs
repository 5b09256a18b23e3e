//! The best certified primal and dual points seen.

use super::master::Master;
use super::pieces::Pieces;
use super::solution::BundleSolution;
use crate::certificate::{
    hinge_sum, intercept_of_margins, make_feasible, sublinear_dual_value, sublinear_objective,
    sublinear_regularisation,
};
use crate::trace::note;
use crate::{RelativeGap, Status, SublinearProblem, TracePoint};
use ndarray::{Array1, Array2, ArrayView1};

/// A primal point, with what its value is made of.
#[derive(Clone)]
pub(crate) struct Point {
    /// ζ (D).
    pub(crate) zeta: Array1<f64>,
    /// `y_i⟨ζ, φ_i⟩` (L).
    pub(crate) scores: Array1<f64>,
    /// `h_i(ζ)` (L).
    pub(crate) penalties: Array1<f64>,
    /// The intercept that is best for ζ.
    pub(crate) intercept: f64,
    /// `P(ζ, b)`.
    pub(crate) value: f64,
}

impl Point {
    pub(crate) fn new(problem: &SublinearProblem<'_>, zeta: Array1<f64>) -> Self {
        let scores = problem.features().dot(&zeta) * problem.y();
        Self::with_scores(problem, zeta, scores)
    }

    /// `self + t (other − self)`.
    pub(crate) fn towards(&self, problem: &SublinearProblem<'_>, other: &Self, t: f64) -> Self {
        let mix = |a: &Array1<f64>, b: &Array1<f64>| a * (1.0 - t) + b * t;
        let scores = mix(&self.scores, &other.scores);
        Self::with_scores(problem, mix(&self.zeta, &other.zeta), scores)
    }

    fn with_scores(problem: &SublinearProblem<'_>, zeta: Array1<f64>, scores: Array1<f64>) -> Self {
        let penalties = problem.penalty_values(zeta.view());
        let margins = || scores.iter().zip(&penalties).map(|(score, h)| score - h);
        let mut breakpoints = vec![0.0; scores.len()];
        let rule = (problem.intercept(), problem.lambda());
        let intercept = intercept_of_margins(margins(), problem.y(), rule, &mut breakpoints);
        let value = sublinear_regularisation(problem, zeta.view(), intercept)
            + hinge_sum(margins(), problem.y(), intercept);
        Self {
            zeta,
            scores,
            penalties,
            intercept,
            value,
        }
    }
    /// The loss of each sample (L) at another intercept.
    pub(crate) fn losses(&self, y: ArrayView1<'_, f64>, intercept: f64) -> Array1<f64> {
        let mut losses = &self.penalties - &self.scores + 1.0;
        losses.zip_mut_with(&y, |loss, y| *loss = (*loss - y * intercept).max(0.0));
        losses
    }
}

/// The best points so far.
pub(super) struct Incumbent {
    pub(super) primal: Point,
    alpha: Array1<f64>,
    z: Array2<f64>,
    pub(super) lower: f64,
    trace: Vec<TracePoint>,
}

impl Incumbent {
    /// ζ = 0 and α = 0, which are feasible.
    pub(super) fn new(problem: &SublinearProblem<'_>) -> Self {
        let (samples, dim) = problem.features().dim();
        Self {
            primal: Point::new(problem, Array1::zeros(dim)),
            alpha: Array1::zeros(samples),
            z: Array2::zeros((samples, dim)),
            lower: 0.0,
            trace: Vec::new(),
        }
    }

    /// The certified gap between the best points, noted as what `iteration` reached.
    pub(super) fn gap(&mut self, iteration: usize) -> f64 {
        note(&mut self.trace, iteration, (self.primal.value, self.lower));
        RelativeGap::new(self.primal.value, self.lower).value()
    }

    /// Keeps the point if it is better.
    pub(super) fn try_primal(&mut self, point: Point) {
        if point.value < self.primal.value {
            self.primal = point;
        }
    }

    /// Keeps the master problem's multipliers if they are better.
    pub(super) fn try_dual(
        &mut self,
        problem: &SublinearProblem<'_>,
        pieces: &Pieces,
        master: &Master,
    ) {
        if master.lower > self.lower {
            self.lower = master.lower;
            self.alpha = pieces.sample_sums(&master.beta);
            // Sums of pieces must not be carried past 1 by rounding.
            make_feasible(&mut self.alpha, problem.y(), problem.intercept());
            self.z = pieces.mean_subgradients(problem, &master.beta);
        }
    }

    /// The solution, its values computed afresh from the problem alone.
    pub(super) fn into_solution(
        mut self,
        problem: &SublinearProblem<'_>,
        (iterations, newton_steps, pieces): (usize, usize, usize),
        status: Status,
    ) -> BundleSolution {
        let Point {
            zeta, intercept, ..
        } = self.primal;
        let intercept = problem.intercept().of_constant(zeta.view(), intercept);
        let objective = sublinear_objective(problem, zeta.view(), intercept);
        let dual = sublinear_dual_value(problem, self.alpha.view(), self.z.view());
        note(&mut self.trace, iterations, (objective, dual.value));
        BundleSolution {
            zeta,
            intercept,
            alpha: self.alpha,
            subgradients: self.z,
            objective,
            dual_objective: dual.value,
            relative_gap: RelativeGap::new(objective, dual.value),
            iterations,
            newton_steps,
            pieces,
            status,
            trace: self.trace,
        }
    }
}
