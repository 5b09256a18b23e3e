//! One pass over the samples in play.

use super::active::{Active, Violation};
use super::line::Line;
use super::rows::Rows;
use super::state::State;
use pulp::{Simd, WithSimd};
use robust_svm_core::vector_math::dispatch_narrow;

/// Projected gradients below this are 0: rounding.
const NO_GRADIENT: f64 = 1e-14;
/// What a visit costs beside its row, in units of one stored value.
pub(super) const VISIT: usize = 8;

/// What an epoch did.
pub(super) struct EpochEnd {
    /// The reach of the projected gradients met.
    pub(super) violation: Violation,
    /// The work, in units of one stored value multiplied.
    pub(super) work: usize,
}

/// Steps in every α_i in play to the maximum of D along it, in random order; samples beyond the thresholds are set aside.
pub(super) fn run_epoch<R: Rows>(rows: &R, state: &mut State, active: &mut Active) -> EpochEnd {
    active.shuffle();
    let end = if state.has_cone() {
        dispatch_narrow(Epoch::<R, true> {
            rows,
            state,
            active,
        })
    } else {
        dispatch_narrow(Epoch::<R, false> {
            rows,
            state,
            active,
        })
    };
    state.refresh_sums();
    active.thresholds = end.violation.thresholds();
    end
}

struct Epoch<'a, R, const CONE: bool> {
    rows: &'a R,
    state: &'a mut State,
    active: &'a mut Active,
}

impl<R: Rows, const CONE: bool> WithSimd for Epoch<'_, R, CONE> {
    type Output = EpochEnd;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> EpochEnd {
        let Self {
            rows,
            state,
            active,
        } = self;
        let inverse_lambda = 1.0 / state.lambda;
        let thresholds = active.thresholds;
        let mut violation = Violation::NONE;
        let (mut work, mut kept) = (0, 0);
        for place in 0..active.samples.len() {
            let sample = active.samples[place];
            let i = sample as usize;
            let c = &mut state.coordinates[i];
            work += rows.entries(i) + VISIT;
            let line = Line {
                square: state.square,
                p: c.label * rows.dot(simd, i, &state.v),
                q: c.square,
                g: state.budget + state.radius * state.total,
                radius: state.radius,
                balance: c.label * state.balance * state.of_intercept,
                of_intercept: state.of_intercept,
                inverse_lambda,
            };
            let gradient = if CONE {
                line.derivatives(0.0).0
            } else {
                inverse_lambda * (line.p + line.balance) - 1.0
            };
            if thresholds.sets_aside(gradient, c.alpha) {
                continue;
            }
            active.samples[kept] = sample;
            kept += 1;
            if violation.take(gradient, c.alpha).abs() <= NO_GRADIENT {
                continue;
            }
            let alpha = if CONE {
                let step = line.minimiser(-c.alpha, 1.0 - c.alpha);
                (c.alpha + step).clamp(0.0, 1.0)
            } else {
                // Where D is linear in α_i the quotient is infinite, and the bound right.
                let curvature = inverse_lambda * (line.q + line.of_intercept);
                (c.alpha - gradient / curvature).clamp(0.0, 1.0)
            };
            let step = alpha - c.alpha;
            c.alpha = alpha;
            if step != 0.0 {
                work += rows.entries(i);
                rows.add(simd, step * c.label, i, &mut state.v);
                state.balance += step * c.label;
                if CONE {
                    state.total += step;
                    let change = step * (2.0 * line.p + step * line.q);
                    state.square = (state.square + change).max(0.0);
                }
            }
        }
        active.samples.truncate(kept);
        EpochEnd { violation, work }
    }
}
