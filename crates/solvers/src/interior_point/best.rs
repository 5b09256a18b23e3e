//! The best certified primal and dual points seen.

use super::data::ConicData;
use super::products::Products;
use super::solution::{Solution, Status};
use super::variables::Variables;
use crate::certificate::{
    dual_value, evaluate_dual, hinge_sum, intercept_of_margins, make_feasible, objective,
    regularisation,
};
use crate::trace::note;
use crate::{Problem, RelativeGap, TracePoint};
use ndarray::{Array1, ArrayView1};

/// The best points so far.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Best {
    pub(super) zeta: Array1<f64>,
    pub(super) intercept: f64,
    pub(super) objective: f64,
    pub(super) alpha: Array1<f64>,
    pub(super) dual: f64,
    pub(super) trace: Vec<TracePoint>,
}

/// What judges the next points without allocation.
pub(super) struct Judge {
    /// ζ, and behind it what else x holds (width).
    candidate_zeta: Vec<f64>,
    candidate_alpha: Array1<f64>,
    margins: Vec<f64>,
    breakpoints: Vec<f64>,
}

impl Judge {
    pub(super) fn new(data: &ConicData<'_>) -> Self {
        Self {
            candidate_zeta: vec![0.0; data.width],
            candidate_alpha: Array1::zeros(data.rows),
            margins: vec![0.0; data.rows],
            breakpoints: vec![0.0; data.rows],
        }
    }

    /// ζ = 0 and α = 0, which are feasible.
    pub(super) fn start(&mut self, problem: &Problem<'_>, data: &ConicData<'_>) -> Best {
        let mut best = Best {
            zeta: Array1::zeros(data.dim),
            intercept: 0.0,
            objective: f64::INFINITY,
            alpha: Array1::zeros(data.rows),
            dual: 0.0,
            trace: Vec::new(),
        };
        self.candidate_zeta.fill(0.0);
        self.try_primal(problem, data, &mut best);
        best
    }

    /// Judges the iterate's ζ, its α, and the ζ that belongs to that α.
    pub(super) fn update(
        &mut self,
        (problem, data): (&Problem<'_>, &ConicData<'_>),
        (v, products): (&Variables, &Products),
        best: &mut Best,
    ) {
        self.candidate_zeta.copy_from_slice(&v.x);
        data.scores_of_products(&v.x, &products.margins, &mut self.margins);
        self.judge_primal(problem, data, best);

        copy(&v.alpha, &mut self.candidate_alpha);
        make_feasible(&mut self.candidate_alpha, problem.y(), problem.intercept());
        let alpha = self.candidate_alpha.as_slice().expect("contiguous");
        self.candidate_zeta.copy_from_slice(&products.weighted);
        if !nearly_equal(alpha, &v.alpha) {
            self.candidate_zeta.fill(0.0);
            data.add_mul_transposed(alpha, &mut self.candidate_zeta);
        }
        let zeta = &mut self.candidate_zeta[..data.dim];
        let terms = evaluate_dual(problem, self.candidate_alpha.view(), zeta);
        let largest = self.candidate_alpha.iter().copied().fold(0.0, f64::max);
        let factor = terms.best_factor(1.0 / largest);
        for ζ in zeta {
            *ζ *= factor;
        }
        let dual = terms.scaled_value(factor);
        if dual > best.dual && !data.b.is_lost() {
            best.dual = dual;
            // Rounding must not carry the largest α past 1.
            self.candidate_alpha.mapv_inplace(|a| (factor * a).min(1.0));
            std::mem::swap(&mut best.alpha, &mut self.candidate_alpha);
        }
        self.try_primal(problem, data, best);
    }

    /// Keeps `candidate_zeta` with its best intercept if it is better.
    fn try_primal(&mut self, problem: &Problem<'_>, data: &ConicData<'_>, best: &mut Best) {
        self.candidate_zeta[data.dim..].fill(0.0);
        data.mul(&self.candidate_zeta, &mut self.margins);
        self.judge_primal(problem, data, best);
    }

    /// The same, where `margins` has the signed scores `y_i⟨ζ, φ_i⟩` already.
    fn judge_primal(&mut self, problem: &Problem<'_>, data: &ConicData<'_>, best: &mut Best) {
        let ζ = ArrayView1::from(&self.candidate_zeta[..data.dim]);
        let penalty = problem.penalty();
        let norm = problem.penalty_norm(ζ);
        for (margin, radius) in self.margins.iter_mut().zip(&penalty.radii) {
            *margin -= radius * norm;
        }
        let rule = (problem.intercept(), problem.lambda());
        let margins = || self.margins.iter().copied();
        let intercept = intercept_of_margins(margins(), problem.y(), rule, &mut self.breakpoints);
        let value =
            regularisation(problem, ζ, intercept) + hinge_sum(margins(), problem.y(), intercept);
        // Losses of scores that are NaN, as of rows that could not be read, would be none.
        if value < best.objective && !data.b.is_lost() {
            best.objective = value;
            best.intercept = intercept;
            best.zeta.assign(&ζ);
        }
    }
}

impl Best {
    /// The certified gap between the best points, noted as what `iteration` reached.
    pub(super) fn gap(&mut self, iteration: usize) -> f64 {
        note(&mut self.trace, iteration, (self.objective, self.dual));
        RelativeGap::new(self.objective, self.dual).value()
    }

    /// The solution, its values computed afresh from the problem alone.
    pub(super) fn into_solution(
        mut self,
        problem: &Problem<'_>,
        iterations: usize,
        status: Status,
    ) -> Solution {
        let rule = problem.intercept();
        let intercept = rule.of_constant(self.zeta.view(), self.intercept);
        let objective = objective(problem, self.zeta.view(), intercept);
        let dual_objective = dual_value(problem, self.alpha.view()).value;
        note(&mut self.trace, iterations, (objective, dual_objective));
        Solution {
            zeta: self.zeta,
            intercept,
            alpha: self.alpha,
            objective,
            dual_objective,
            relative_gap: RelativeGap::new(objective, dual_objective),
            iterations,
            status,
            trace: self.trace,
        }
    }
}

fn copy(from: &[f64], to: &mut Array1<f64>) {
    to.assign(&ArrayView1::from(from));
}

/// Whether two vectors differ by no more than rounding, each value against its own size.
fn nearly_equal(a: &[f64], b: &[f64]) -> bool {
    const ROUNDING: f64 = 1e-15;
    a.iter()
        .zip(b)
        .all(|(a, b)| (a - b).abs() <= ROUNDING * b.abs())
}
