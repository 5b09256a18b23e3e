//! What a solver knew along the way.

use crate::RelativeGap;

/// What was known after some iterations of a solve. The points of a solution are in ascending order of iterations, and the
/// last has the solution's own values, certified from its primal and dual point; those before it are the method's, bounds
/// up to rounding, of the best points so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TracePoint {
    /// Iterations made, counted as the solution counts them.
    pub iteration: usize,
    /// The least primal objective so far.
    pub objective: f64,
    /// The largest dual objective so far; of training on blocks, which keeps one dual point only, that of its multipliers then.
    pub dual_objective: f64,
    /// `(P − D)/P`.
    pub relative_gap: RelativeGap,
}

/// Notes the primal and dual objective known after `iteration`, in the place of what was noted of it before.
pub(crate) fn note(
    trace: &mut Vec<TracePoint>,
    iteration: usize,
    (objective, dual_objective): (f64, f64),
) {
    if trace.last().is_some_and(|last| last.iteration == iteration) {
        trace.pop();
    }
    trace.push(TracePoint {
        iteration,
        objective,
        dual_objective,
        relative_gap: RelativeGap::new(objective, dual_objective),
    });
}
