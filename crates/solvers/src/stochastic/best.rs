//! The best certified primal and dual points seen.

use super::averages::Sums;
use super::solution::StochasticSolution;
use crate::certificate::{
    sublinear_objective, sublinear_optimal_intercept, summed_dual_terms, summed_dual_value,
};
use crate::trace::note;
use crate::{Intercept, RelativeGap, Status, SublinearProblem, TracePoint};
use ndarray::Array1;

/// The best points so far.
pub(super) struct Best {
    zeta: Array1<f64>,
    intercept: f64,
    objective: f64,
    alpha: Array1<f64>,
    subgradient: Array1<f64>,
    dual: f64,
    trace: Vec<TracePoint>,
}

impl Best {
    /// ζ = 0 and α = 0, which are feasible.
    pub(super) fn new(problem: &SublinearProblem<'_>) -> Self {
        let (samples, dim) = problem.features().dim();
        let mut best = Self {
            zeta: Array1::zeros(dim),
            intercept: 0.0,
            objective: f64::INFINITY,
            alpha: Array1::zeros(samples),
            subgradient: Array1::zeros(dim),
            dual: 0.0,
            trace: Vec::new(),
        };
        best.try_primal(problem, Array1::zeros(dim));
        best
    }

    /// The certified gap between the best points, noted as what `epoch` reached.
    pub(super) fn gap(&mut self, epoch: usize) -> f64 {
        note(&mut self.trace, epoch, (self.objective, self.dual));
        RelativeGap::new(self.objective, self.dual).value()
    }

    /// Judges the average ζ of the tail, its dual point, and the ζ that belongs to that.
    pub(super) fn update(&mut self, problem: &SublinearProblem<'_>, tail: &Sums) {
        let share = 1.0 / tail.epochs as f64;
        self.try_primal(problem, &tail.zeta * share);

        let (mut alpha, mut subgradient) = feasible_mean(problem, tail, share);
        let (terms, mut zeta) = summed_dual_terms(problem, alpha.view(), subgradient.view());
        let largest = alpha.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return;
        }
        let factor = terms.best_factor(1.0 / largest);
        let dual = terms.scaled_value(factor);
        if dual > self.dual {
            self.dual = dual;
            // Rounding must not carry the largest α past 1.
            alpha.mapv_inplace(|a| (factor * a).min(1.0));
            subgradient *= factor;
            (self.alpha, self.subgradient) = (alpha, subgradient);
        }
        zeta *= factor / problem.lambda();
        self.try_primal(problem, zeta);
    }

    /// Keeps ζ with its best intercept if it is better.
    fn try_primal(&mut self, problem: &SublinearProblem<'_>, zeta: Array1<f64>) {
        let intercept = sublinear_optimal_intercept(problem, zeta.view());
        let objective = sublinear_objective(problem, zeta.view(), intercept);
        if objective < self.objective {
            (self.zeta, self.intercept, self.objective) = (zeta, intercept, objective);
        }
    }

    /// The solution, its values computed afresh from the problem alone.
    pub(super) fn into_solution(
        mut self,
        problem: &SublinearProblem<'_>,
        (epochs, status): (usize, Status),
    ) -> StochasticSolution {
        let intercept = problem
            .intercept()
            .of_constant(self.zeta.view(), self.intercept);
        let objective = sublinear_objective(problem, self.zeta.view(), intercept);
        let dual = summed_dual_value(problem, self.alpha.view(), self.subgradient.view());
        note(&mut self.trace, epochs, (objective, dual.value));
        StochasticSolution {
            zeta: self.zeta,
            intercept,
            alpha: self.alpha,
            subgradient: self.subgradient,
            objective,
            dual_objective: dual.value,
            relative_gap: RelativeGap::new(objective, dual.value),
            epochs,
            status,
            trace: self.trace,
        }
    }
}

/// α and Z of the tail, and for a free intercept those of the class with the larger sum scaled down.
fn feasible_mean(
    problem: &SublinearProblem<'_>,
    tail: &Sums,
    share: f64,
) -> (Array1<f64>, Array1<f64>) {
    let mut sums = [0.0, 0.0];
    for (active, &y) in tail.active.iter().zip(problem.y()) {
        sums[usize::from(y > 0.0)] += active;
    }
    let smaller = sums[0].min(sums[1]);
    let factors = sums.map(|sum| match problem.intercept() {
        Intercept::Free if sum > smaller => share * smaller / sum,
        _ => share,
    });
    let mut alpha = tail.active.clone();
    alpha.zip_mut_with(&problem.y(), |a, y| *a *= factors[usize::from(*y > 0.0)]);
    let [negative, positive] = &tail.subgradients;
    (alpha, negative * factors[0] + positive * factors[1])
}
