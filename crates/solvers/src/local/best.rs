//! The best certified primal and dual points seen.

use super::data::ConicData;
use super::psd::square;
use super::solution::LocalSolution;
use super::variables::Variables;
use crate::bundle::Point;
use crate::certificate::{DualTerms, make_feasible, sublinear_dual_value, sublinear_objective};
use crate::interior_point::dot;
use crate::trace::note;
use crate::{LocalPenalty, RelativeGap, SolverError, Status, SublinearProblem, TracePoint};
use ndarray::{Array1, Array2, ArrayView1};

/// A feasible point of the dual: α, and what the sub-gradients `z_i = γ_iC_iᵀu_i + γ_i²/γ²_max z_R` are made of.
struct DualPoint {
    alpha: Array1<f64>,
    /// u (L × n), rows of norm at most 1.
    directions: Array2<f64>,
    /// `z_R` (D), a sub-gradient at 0 of the curvature in the units of r.
    curvature: Array1<f64>,
}

/// The best points so far.
pub(super) struct Best {
    primal: Point,
    dual: DualPoint,
    lower: f64,
    candidate: DualPoint,
    trace: Vec<TracePoint>,
}

impl Best {
    /// ζ = 0 and α = 0, which are feasible.
    pub(super) fn new(problem: &SublinearProblem<'_>, data: &ConicData) -> Self {
        let none = || DualPoint {
            alpha: Array1::zeros(data.samples),
            directions: Array2::zeros((data.samples, data.n)),
            curvature: Array1::zeros(data.dim),
        };
        Self {
            primal: Point::new(problem, Array1::zeros(data.dim)),
            dual: none(),
            lower: 0.0,
            candidate: none(),
            trace: Vec::new(),
        }
    }

    /// The certified gap between the best points, noted as what `iteration` reached.
    pub(super) fn gap(&mut self, iteration: usize) -> f64 {
        note(&mut self.trace, iteration, (self.primal.value, self.lower));
        RelativeGap::new(self.primal.value, self.lower).value()
    }

    /// Judges the iterate's ζ, its multipliers, and the ζ that belongs to them.
    ///
    /// # Errors
    /// [`SolverError::Backend`] if the iterate is not finite.
    pub(super) fn update(
        &mut self,
        problem: &SublinearProblem<'_>,
        data: &mut ConicData,
        v: &Variables,
    ) -> Result<(), SolverError> {
        self.try_primal(problem, ArrayView1::from(&v.x[..data.dim]).to_owned());
        self.read_multipliers(problem, data, v)?;
        let mut weights = self.scaled_sum(data);
        let alpha = &self.candidate.alpha;
        let of_intercept = problem
            .intercept()
            .dual_regularisation(data.lambda, alpha.dot(&problem.y()));
        let terms = DualTerms {
            sum: alpha.sum(),
            half_square: weights.dot(&weights) / (2.0 * data.lambda) + of_intercept,
            homogeneous: true,
        };
        let largest = alpha.iter().copied().fold(0.0, f64::max);
        let factor = terms.best_factor(1.0 / largest);
        weights *= factor / data.lambda;
        let lower = terms.scaled_value(factor);
        if lower > self.lower {
            self.lower = lower;
            // Rounding must not carry the largest α past 1.
            self.candidate.alpha.mapv_inplace(|a| (factor * a).min(1.0));
            std::mem::swap(&mut self.dual, &mut self.candidate);
        }
        self.try_primal(problem, weights);
        Ok(())
    }

    fn try_primal(&mut self, problem: &SublinearProblem<'_>, zeta: Array1<f64>) {
        let point = Point::new(problem, zeta);
        if point.value < self.primal.value {
            self.primal = point;
        }
    }

    /// The iterate's multipliers, made feasible, into the candidate.
    fn read_multipliers(
        &mut self,
        problem: &SublinearProblem<'_>,
        data: &ConicData,
        v: &Variables,
    ) -> Result<(), SolverError> {
        let cones = v.z.samples.chunks_exact(data.n + 1);
        let candidate = &mut self.candidate;
        let rows = candidate.directions.outer_iter_mut();
        for ((alpha, mut u), z) in candidate.alpha.iter_mut().zip(rows).zip(cones) {
            *alpha = z[0];
            // Inside the cone the tail is shorter than the head; rounding cannot carry it out.
            let length = dot(&z[1..], &z[1..]).sqrt().max(z[0]);
            for (u, z) in u.iter_mut().zip(&z[1..]) {
                *u = -z / length;
            }
        }
        make_feasible(&mut candidate.alpha, problem.y(), problem.intercept());
        let matrix = square(&v.z.matrix, data.curvature.matrix_dim());
        candidate.curvature = data.curvature.subgradient(&v.z.curvature, matrix)?;
        Ok(())
    }

    /// `Σα_i(y_iφ_i − z_i)` of the candidate.
    fn scaled_sum(&self, data: &mut ConicData) -> Array1<f64> {
        let DualPoint {
            alpha,
            directions,
            curvature,
        } = &self.candidate;
        let mut sum = Array1::zeros(data.dim);
        let moves = directions * &alpha.mapv(|a| -a).insert_axis(ndarray::Axis(1));
        let (out, moves) = (
            sum.as_slice_mut().expect("a fresh array"),
            moves.as_slice().expect("standard layout"),
        );
        data.add_weighted_features(alpha.as_slice().expect("standard layout"), out);
        data.add_slopes(moves, out);
        let share: f64 = alpha
            .iter()
            .enumerate()
            .map(|(i, a)| a * data.share(i))
            .sum();
        sum.scaled_add(-share, curvature);
        sum
    }

    /// The solution, its values computed afresh from the problem and the penalty alone.
    pub(super) fn into_solution(
        self,
        problem: &SublinearProblem<'_>,
        penalty: &LocalPenalty,
        data: &ConicData,
        iterations: usize,
        status: Status,
    ) -> LocalSolution {
        let mut z = penalty.first_order_subgradients(self.dual.directions.view());
        for (i, mut row) in z.outer_iter_mut().enumerate() {
            row.scaled_add(data.share(i), &self.dual.curvature);
        }
        let intercept = self.primal.intercept;
        let intercept = problem
            .intercept()
            .of_constant(self.primal.zeta.view(), intercept);
        certified(
            problem,
            (self.primal.zeta, intercept),
            (self.dual.alpha, z),
            (iterations, status, self.trace),
        )
    }
}

/// The solution of these points, certified, with the trace of its iterations.
pub(super) fn certified(
    problem: &SublinearProblem<'_>,
    (zeta, intercept): (Array1<f64>, f64),
    (alpha, subgradients): (Array1<f64>, Array2<f64>),
    (iterations, status, mut trace): (usize, Status, Vec<TracePoint>),
) -> LocalSolution {
    let objective = sublinear_objective(problem, zeta.view(), intercept);
    let dual = sublinear_dual_value(problem, alpha.view(), subgradients.view());
    note(&mut trace, iterations, (objective, dual.value));
    LocalSolution {
        zeta,
        intercept,
        alpha,
        subgradients,
        objective,
        dual_objective: dual.value,
        relative_gap: RelativeGap::new(objective, dual.value),
        iterations,
        status,
        trace,
    }
}
