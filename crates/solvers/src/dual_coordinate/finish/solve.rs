//! The loop of proximal steps.

use super::super::epoch::VISIT;
use super::super::rows::Rows;
use super::super::state::State;
use super::newton::Newton;
use super::smooth::{Point, Smooth, Values, signed_scores};

/// The widest (ζ, b), for the memory and the time of a factor.
pub(crate) const MAX_WIDTH: usize = 2000;
/// The next ε, as a share of the last: smaller shares leave Newton's method too far from the next minimum. And the last ε.
const NEXT_EPSILON: f64 = 0.3;
const SMALLEST_EPSILON: f64 = 1e-12;
/// Newton's steps for one ε.
const STEPS: usize = 40;
/// A ψ is minimised until its gradient's share of the gap is this much of the rest.
const GRADIENT_SHARE: f64 = 0.1;
/// The gap is certified afresh later: a little more than the tolerance is wanted.
const CARE: f64 = 0.9;
/// Sufficient decrease, and halvings of a step.
const DECREASE: f64 = 1e-4;
const HALVINGS: usize = 30;
/// What a finish may cost, in Newton's steps, for which epochs that promise the same are preferred. Epochs promise too much, as they slow
/// down, and a finish takes 20 to 90 steps, mostly cheaper ones than the first.
const EXPECTED_STEPS: f64 = 10.0;

/// What a finish reached; the state has the multipliers if they are better than before.
pub(crate) struct Outcome {
    /// Newton's steps.
    pub(crate) steps: usize,
    /// ζ of the best primal point, and P there.
    pub(crate) zeta: Vec<f64>,
    pub(crate) primal: f64,
    /// Newton's steps made, and the least P and the largest bound on D known then.
    pub(crate) known: Vec<(usize, f64, f64)>,
}

/// What a finish is expected to cost, in units of one stored value, from margins less Γ‖ζ‖ and the gap.
pub(crate) fn finish_cost<R: Rows>(rows: &R, passes: f64, margins: &[f64], gap: f64) -> f64 {
    let epsilon = first_epsilon(margins, gap);
    let near = margins.iter().filter(|m| (*m - 1.0).abs() < epsilon);
    let gram = near.count() as f64 * rows.gram_cost();
    let factor = (rows.dim() as f64).powi(3) / 24.0;
    let sums = (VISIT * rows.len()) as f64;
    EXPECTED_STEPS * (2.0 * passes + gram + factor + sums)
}

/// The mean of |ℓ| times the root of the gap: far from the optimum most samples are to be between the bounds, near it few.
fn first_epsilon(margins: &[f64], gap: f64) -> f64 {
    let sum: f64 = margins.iter().map(|m| (1.0 - m).abs()).sum();
    gap.sqrt().min(1.0) * sum / margins.len() as f64
}

/// Proximal steps from the multipliers of `state` until the relative gap is `tolerance`, ε cannot shrink further, or `most` of Newton's
/// steps are made; `None` at ζ = 0, where ψ is not smooth.
pub(crate) fn finish<R: Rows>(
    rows: &R,
    state: &mut State,
    (gap, tolerance): (f64, f64),
    most: usize,
) -> Option<Outcome> {
    let factor = state.factor();
    if factor == 0.0 || state.square == 0.0 {
        return None;
    }
    let mut x: Vec<f64> = state.v.iter().map(|v| factor * v).collect();
    if state.of_intercept != 0.0 {
        x.push(state.intercept());
    }
    let (samples, width) = (rows.len(), x.len());
    let mut point = Point {
        x,
        margins: vec![0.0; samples],
    };
    signed_scores(rows, state, &point.x, &mut point.margins);
    let mut smooth = Smooth {
        centres: state.coordinates.iter().map(|c| c.alpha).collect(),
        epsilon: first_epsilon(&point.margins, gap),
    };
    let mut newton = Newton::new(samples, width);
    let (mut a, mut change) = (vec![0.0; samples], vec![0.0; samples]);
    let mut outcome = Outcome {
        steps: 0,
        zeta: point.x[..rows.dim()].to_vec(),
        primal: f64::INFINITY,
        known: Vec::new(),
    };
    let before = state.dual_value();
    let mut best_dual = before;

    'outer: while smooth.epsilon >= SMALLEST_EPSILON {
        for _ in 0..STEPS {
            let values = smooth.values(state, &point, (0.0, &newton.step, &change), &mut a);
            let square = newton.update_gradient(rows, state, &point, &a);
            let rest = square / (2.0 * state.lambda);
            if values.primal < outcome.primal {
                outcome.primal = values.primal;
                outcome.zeta.copy_from_slice(&point.x[..rows.dim()]);
            }
            let missed = values.complementarity + rest;
            best_dual = keep_better(state, &a, values.primal - missed, best_dual);
            let known = (outcome.steps, outcome.primal, best_dual);
            outcome.known.push(known);
            let wanted = CARE * tolerance * outcome.primal;
            if outcome.primal - best_dual <= wanted || outcome.steps == most {
                break 'outer;
            }
            if rest <= GRADIENT_SHARE * values.complementarity.max(wanted) {
                break;
            }
            if newton
                .update_step(rows, state, &smooth, &point, &a)
                .is_err()
                || !descend(
                    rows,
                    state,
                    &smooth,
                    (&mut point, &values),
                    &newton,
                    (&mut a, &mut change),
                )
            {
                break;
            }
            outcome.steps += 1;
        }
        smooth.centres.copy_from_slice(&a);
        smooth.epsilon *= NEXT_EPSILON;
    }
    if best_dual > before {
        state.refresh(rows);
    }
    Some(outcome)
}

/// Keeps the multipliers `a` in the state, its sums left as they are, if their dual value is the best; which that is.
fn keep_better(state: &mut State, a: &[f64], dual: f64, best: f64) -> f64 {
    if dual.is_nan() || dual <= best {
        return best;
    }
    for (c, a) in state.coordinates.iter_mut().zip(a) {
        c.alpha = *a;
    }
    dual
}

/// Moves the point along Newton's step as far as ψ falls enough; false if it does not.
fn descend<R: Rows>(
    rows: &R,
    state: &State,
    smooth: &Smooth,
    (point, values): (&mut Point, &Values),
    newton: &Newton,
    (a, change): (&mut [f64], &mut [f64]),
) -> bool {
    let slope: f64 = newton
        .gradient
        .iter()
        .zip(&newton.step)
        .map(|(g, d)| g * d)
        .sum();
    if slope.is_nan() || slope >= 0.0 {
        return false;
    }
    signed_scores(rows, state, &newton.step, change);
    let mut t = 1.0;
    for _ in 0..HALVINGS {
        let next = smooth.values(state, point, (t, &newton.step, change), a);
        if next.smooth <= values.smooth + DECREASE * t * slope {
            for (x, d) in point.x.iter_mut().zip(&newton.step) {
                *x += t * d;
            }
            for (m, dm) in point.margins.iter_mut().zip(change.iter()) {
                *m += t * dm;
            }
            return true;
        }
        t *= 0.5;
    }
    false
}
