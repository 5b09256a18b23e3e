//! Certificates along the way, and the best classifier they have seen.

use super::active::{Active, Violation};
use super::finish::Outcome;
use super::rows::{Rows, scores};
use super::state::{State, norm};
use crate::certificate::{dual_value, objective, optimal_intercept};
use crate::trace::note;
use crate::{Problem, RelativeGap, Solution, Status, TracePoint};
use ndarray::Array1;

/// The best primal point so far. The dual one is the state itself: D rises with every step.
pub(super) struct Best {
    zeta: Vec<f64>,
    objective: f64,
    candidate: Vec<f64>,
    /// `y_i f(x_i) − Γ‖ζ‖` of the candidate.
    pub(super) margins: Vec<f64>,
    trace: Vec<TracePoint>,
}

impl Best {
    /// ζ = 0, of loss L at b = 0.
    pub(super) fn new<R: Rows>(rows: &R) -> Self {
        Self {
            zeta: vec![0.0; rows.dim()],
            objective: rows.len() as f64,
            candidate: vec![0.0; rows.dim()],
            margins: vec![0.0; rows.len()],
            trace: Vec::new(),
        }
    }

    /// Judges the ζ and b that belong to α; the certified gap of the best ζ and of α, noted as what `iteration` reached.
    pub(super) fn certify<R: Rows>(&mut self, rows: &R, state: &State, iteration: usize) -> f64 {
        let factor = state.factor();
        for (ζ, v) in self.candidate.iter_mut().zip(&state.v) {
            *ζ = factor * v;
        }
        let b = state.intercept();
        scores(rows, &self.candidate, &mut self.margins);
        let norm = norm(&self.candidate);
        let moved = state.radius * norm;
        for (m, c) in self.margins.iter_mut().zip(&state.coordinates) {
            *m = c.label * (*m + b) - moved;
        }
        let losses: f64 = self.margins.iter().map(|m| (1.0 - m).max(0.0)).sum();
        let squares = norm * norm + b * b;
        let value = 0.5 * state.lambda * squares + state.budget * norm + losses;
        if value < self.objective {
            self.objective = value;
            std::mem::swap(&mut self.zeta, &mut self.candidate);
        }
        let dual = state.dual_value();
        note(&mut self.trace, iteration, (self.objective, dual));
        RelativeGap::new(self.objective, dual).value()
    }

    /// Takes the primal point that a finish after `iterations` found, if it is better, and notes what its steps knew.
    pub(super) fn offer(&mut self, iterations: usize, end: &Outcome) {
        for &(step, primal, dual) in &end.known {
            let primal = primal.min(self.objective);
            note(&mut self.trace, iterations + step, (primal, dual));
        }
        let (zeta, objective) = (&end.zeta, end.primal);
        if objective < self.objective {
            self.objective = objective;
            self.zeta.copy_from_slice(zeta);
        }
    }

    /// Puts every sample into play but those that the margins just certified set aside, `y_if(x_i) − Γ‖ζ‖ − 1` being the
    /// gradient of −D; returns the reach of all projected gradients.
    pub(super) fn choose(&self, state: &State, active: &mut Active) -> Violation {
        let mut violation = Violation::NONE;
        for (m, c) in self.margins.iter().zip(&state.coordinates) {
            violation.take(m - 1.0, c.alpha);
        }
        let thresholds = violation.thresholds();
        active.samples.clear();
        for (i, (m, c)) in self.margins.iter().zip(&state.coordinates).enumerate() {
            if !thresholds.sets_aside(m - 1.0, c.alpha) {
                active.samples.push(i as u32);
            }
        }
        active.thresholds = thresholds;
        violation
    }

    /// The solution, its values computed afresh from the problem alone.
    pub(super) fn solution(
        &self,
        problem: &Problem<'_>,
        state: &State,
        iterations: usize,
        status: Status,
    ) -> Solution {
        let zeta = Array1::from_vec(self.zeta.clone());
        let alpha: Array1<f64> = state.coordinates.iter().map(|c| c.alpha).collect();
        let intercept = optimal_intercept(problem, zeta.view());
        let objective = objective(problem, zeta.view(), intercept);
        let dual_objective = dual_value(problem, alpha.view()).value;
        let mut trace = self.trace.clone();
        note(&mut trace, iterations, (objective, dual_objective));
        Solution {
            zeta,
            intercept,
            alpha,
            objective,
            dual_objective,
            relative_gap: RelativeGap::new(objective, dual_objective),
            iterations,
            status,
            trace,
        }
    }
}
