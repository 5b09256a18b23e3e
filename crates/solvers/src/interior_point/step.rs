//! How far to follow a direction.

use super::cone::longest_step;
use super::variables::Variables;
use crate::workers::{SAMPLES, Workers};

/// The largest step, at most `limit`, that keeps every variable of `v` non-negative along `d`.
pub(super) fn longest_feasible_step(
    v: &Variables,
    d: &Variables,
    limit: f64,
    workers: Workers,
) -> f64 {
    let step = limit
        .min(longest_step(&v.s_cone, &d.s_cone))
        .min(longest_step(&v.z_cone, &d.z_cone));
    let rows = v.s.len();
    let mut steps = vec![step; rows.div_ceil(SAMPLES)];
    workers.blocks(&mut steps, 1, |k, step| {
        let mut least = step[0];
        let own = k * SAMPLES..rows.min((k + 1) * SAMPLES);
        for (value, change) in [
            (&v.s, &d.s),
            (&v.xi, &d.xi),
            (&v.alpha, &d.alpha),
            (&v.mu, &d.mu),
        ] {
            for (value, change) in value[own.clone()].iter().zip(&change[own.clone()]) {
                if *change < 0.0 {
                    least = least.min(-value / change);
                }
            }
        }
        step[0] = least;
    });
    steps.into_iter().fold(step, f64::min)
}
