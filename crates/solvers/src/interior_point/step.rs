//! How far to follow a direction.

use super::cone::longest_step;
use super::variables::Variables;

/// The largest step, at most `limit`, that keeps every variable of `v` non-negative along `d`.
pub(super) fn longest_feasible_step(v: &Variables, d: &Variables, limit: f64) -> f64 {
    let mut step = limit
        .min(longest_step(&v.s_cone, &d.s_cone))
        .min(longest_step(&v.z_cone, &d.z_cone));
    for (value, change) in [
        (&v.s, &d.s),
        (&v.xi, &d.xi),
        (&v.alpha, &d.alpha),
        (&v.mu, &d.mu),
    ] {
        for (value, change) in value.iter().zip(change) {
            if *change < 0.0 {
                step = step.min(-value / change);
            }
        }
    }
    step
}
