//! The loop of the interior-point method on the master problem.

use super::newton::{Correction, Newton};
use super::variables::Variables;
use crate::SublinearProblem;
use crate::bundle::pieces::Pieces;
use crate::certificate::{
    DualTerms, hinge_sum, intercept_of_margins, make_feasible, sublinear_regularisation,
};
use ndarray::{Array1, ArrayView1, s};

/// The share of the way to the boundary that a step leaves: the gap, between these.
const SHORTEST_MARGIN: f64 = 0.005;
const LONGEST_MARGIN: f64 = 0.1;
/// After so many iterations without a better gap the corrector is weighted by the length of the predictor
/// [M. Colombo, J. Gondzio, Comput. Optim. Appl. 41 (2008)].
const CYCLE: usize = 4;
/// Steps shorter than this, and so many iterations without progress, end the solve.
const SHORTEST_STEP: f64 = 1e-8;
const PATIENCE: usize = 20;
const MAX_STEPS: usize = 100;

/// A primal and a dual point of a master problem, each the best seen.
pub(in crate::bundle) struct Master {
    /// ζ (D).
    pub(in crate::bundle) zeta: Array1<f64>,
    /// The intercept that is best for ζ in the master problem.
    pub(in crate::bundle) intercept: f64,
    /// The master problem's value at ζ.
    pub(in crate::bundle) upper: f64,
    /// β (M), feasible for the dual: sums α within [0, 1], with `Σα_iy_i = 0` where b is free.
    pub(in crate::bundle) beta: Vec<f64>,
    /// The dual value of β: a lower bound on the whole problem.
    pub(in crate::bundle) lower: f64,
    /// `Σβ_kg_k/λ` (D), the ζ that belongs to β.
    pub(in crate::bundle) dual_zeta: Array1<f64>,
    /// Newton steps made.
    pub(in crate::bundle) steps: usize,
    pub(in crate::bundle) end: MasterEnd,
}

/// How the solve of a master problem ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bundle) enum MasterEnd {
    /// As accurate as asked.
    Solved,
    /// The limit of the arithmetic, or of the number of steps.
    Stalled,
    /// A factorisation failed or a direction was not finite.
    NumericalError,
}

/// Solves the master problem of `pieces` until its own relative gap is at most `target`.
pub(in crate::bundle) fn solve_master(
    problem: &SublinearProblem<'_>,
    pieces: &Pieces,
    target: f64,
) -> Master {
    let mut master = Master {
        zeta: Array1::zeros(pieces.width - 1),
        intercept: 0.0,
        upper: f64::INFINITY,
        beta: vec![0.0; pieces.len()],
        lower: 0.0,
        dual_zeta: Array1::zeros(pieces.width - 1),
        steps: 0,
        end: MasterEnd::Solved,
    };
    let mut v = Variables::start(pieces, problem.y());
    let mut predictor = Variables::zeros(pieces);
    let mut d = Variables::zeros(pieces);
    let mut correction = Correction::zeros(pieces);
    let mut newton = Newton::new(pieces, problem.lambda(), problem.intercept());
    let (mut last_gap, mut last_progress) = (f64::INFINITY, 0);
    loop {
        master.update(problem, pieces, &v);
        let gap = master.upper - master.lower;
        if gap <= target * master.upper {
            return master;
        }
        if gap < last_gap {
            (last_gap, last_progress) = (gap, master.steps);
        }
        if master.steps - last_progress >= PATIENCE || master.steps == MAX_STEPS {
            master.end = MasterEnd::Stalled;
            return master;
        }
        if newton.factorise(pieces, &v).is_err() {
            master.end = MasterEnd::NumericalError;
            return master;
        }
        correction.clear();
        newton.direction(pieces, &v, &correction, &mut predictor);
        let reach = v.longest_step(&predictor, 1.0);
        let σ = (1.0 - reach).powi(3);
        let cycling = master.steps - last_progress >= CYCLE;
        let weight = if cycling { reach } else { 1.0 };
        correction.set(&predictor, weight, σ * v.complementarity());
        newton.direction(pieces, &v, &correction, &mut d);
        if d.x.iter().any(|x| !x.is_finite()) {
            master.end = MasterEnd::NumericalError;
            return master;
        }
        let margin = (gap / master.upper).clamp(SHORTEST_MARGIN, LONGEST_MARGIN);
        let step = ((1.0 - margin) * v.longest_step(&d, f64::INFINITY)).min(1.0);
        if step < SHORTEST_STEP {
            master.end = MasterEnd::Stalled;
            return master;
        }
        v.advance(step, &d);
        master.steps += 1;
    }
}

impl Master {
    /// Judges the iterate's ζ and its β.
    fn update(&mut self, problem: &SublinearProblem<'_>, pieces: &Pieces, v: &Variables) {
        let dim = pieces.width - 1;
        let mut x = v.x.clone();
        x[dim] = 0.0;
        let mut products = vec![0.0; pieces.len()];
        pieces.mul(&x, &mut products);
        let margins = pieces.sample_minima(&products);
        let margins = || margins.iter().copied();
        let mut breakpoints = vec![0.0; pieces.samples()];
        let rule = (problem.intercept(), problem.lambda());
        let intercept = intercept_of_margins(margins(), problem.y(), rule, &mut breakpoints);
        let zeta = ArrayView1::from(&x[..dim]);
        let value = sublinear_regularisation(problem, zeta, intercept)
            + hinge_sum(margins(), problem.y(), intercept);
        if value < self.upper {
            self.upper = value;
            self.intercept = intercept;
            self.zeta.assign(&zeta);
        }

        let sums = pieces.sample_sums(&v.beta);
        let mut alpha = sums.clone();
        make_feasible(&mut alpha, problem.y(), problem.intercept());
        let mut beta = v.beta.clone();
        for i in 0..pieces.samples() {
            for beta in &mut beta[pieces.of(i)] {
                *beta *= alpha[i] / sums[i];
            }
        }
        let mut w = Array1::zeros(pieces.width);
        pieces.add_mul_transposed(&beta, w.as_slice_mut().expect("a fresh array"));
        let w = w.slice(s![..dim]);
        let of_intercept = problem
            .intercept()
            .dual_regularisation(problem.lambda(), alpha.dot(&problem.y()));
        let terms = DualTerms {
            sum: alpha.sum(),
            half_square: w.dot(&w) / (2.0 * problem.lambda()) + of_intercept,
            homogeneous: true,
        };
        let largest = alpha.iter().copied().fold(0.0, f64::max);
        let factor = terms.best_factor(1.0 / largest);
        let lower = terms.scaled_value(factor);
        if lower > self.lower {
            self.lower = lower;
            for beta in &mut beta {
                *beta *= factor;
            }
            self.beta = beta;
            self.dual_zeta = &w * (factor / problem.lambda());
        }
    }
}
