//! Which samples are at the edge of their loss.

use super::SafeProblem;
use crate::Solution;
use ndarray::ArrayView1;

/// The samples i with 0 < α_i < 1, in order.
///
/// An interior-point solution is only near its limit, so each sample goes to the set whose condition it violates least:
/// α = 0 where α_i is smaller than the slack `−r_i`, α = 1 where `1 − α_i` is smaller than the loss `r_i`, the edge
/// otherwise. Near a strictly complementary solution this is its partition.
pub(super) fn edge(problem: &SafeProblem<'_>, solution: &Solution, norm: f64) -> Vec<usize> {
    let (x, y) = problem.train();
    let decision = x.dot(&solution.zeta);
    let is_edge = |&i: &usize| {
        let loss = residual(decision.view(), y, i, solution.intercept, norm);
        let multiplier = solution.alpha[i];
        loss.abs()
            <= if loss > 0.0 {
                1.0 - multiplier
            } else {
                multiplier
            }
    };
    (0..y.len()).filter(is_edge).collect()
}

/// `r_i = 1 − y_i(⟨w, x_i⟩ + b) + N`.
fn residual(
    decision: ArrayView1<'_, f64>,
    y: ArrayView1<'_, f64>,
    i: usize,
    intercept: f64,
    norm: f64,
) -> f64 {
    1.0 - y[i] * (decision[i] + intercept) + norm
}
