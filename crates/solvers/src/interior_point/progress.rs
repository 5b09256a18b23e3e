//! When an interior-point method stops, and how boldly it steps.

use super::settings::InteriorPointSettings;
use super::solution::Status;

/// The share of the way to the boundary that a step leaves: the gap, between these. Far from the optimum a step
/// that ends too near the boundary of the cone makes the next ones short.
const SHORTEST_MARGIN: f64 = 0.005;
const LONGEST_MARGIN: f64 = 0.1;
/// So many iterations without progress end the solve.
const PATIENCE: usize = 10;
/// Above this gap, a step that is not small is progress too: far from the optimum the certificate can wait
/// for the multipliers to find their size. Below it, only a better certificate is.
const FAR: f64 = 1e-6;
const SMALL_STEP: f64 = 1e-3;
/// After so many iterations without a better gap the corrector is weighted by the length of the predictor
/// [M. Colombo, J. Gondzio, Comput. Optim. Appl. 41 (2008)].
const CYCLE: usize = 4;

/// How a solve is going.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Progress {
    /// Iterations made.
    pub(crate) iteration: usize,
    /// The last iterations with a better gap and with progress.
    pub(super) last_better: usize,
    pub(super) last_move: usize,
    /// How far the last one went.
    pub(super) step: f64,
    /// The gaps where it began, and the smallest.
    pub(super) gap: f64,
    pub(super) smallest_gap: f64,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self {
            iteration: 0,
            last_better: 0,
            last_move: 0,
            step: 1.0,
            gap: f64::INFINITY,
            smallest_gap: f64::INFINITY,
        }
    }

    /// Notes the certified gap of the iterate; the status if the solve ends here.
    pub(crate) fn end(&mut self, gap: f64, settings: &InteriorPointSettings) -> Option<Status> {
        self.gap = gap;
        if gap <= settings.tolerance {
            return Some(Status::Solved);
        }
        if gap < self.smallest_gap {
            (self.smallest_gap, self.last_better) = (gap, self.iteration);
        }
        if self.last_better == self.iteration || (gap > FAR && self.step > SMALL_STEP) {
            self.last_move = self.iteration;
        }
        if self.iteration - self.last_move >= PATIENCE {
            return Some(Status::Stalled);
        }
        (self.iteration >= settings.max_iterations).then_some(Status::IterationLimit)
    }

    /// The weight of the corrector's second-order terms, for a predictor that can be followed to `reach`: those of a
    /// step that is not taken in full can make the method cycle.
    pub(crate) fn corrector_weight(&self, reach: f64) -> f64 {
        let cycling = self.iteration - self.last_better >= CYCLE;
        if cycling { reach } else { 1.0 }
    }

    /// The step to take where `longest` reaches the boundary.
    pub(crate) fn step(&self, longest: f64) -> f64 {
        let share = 1.0 - self.gap.clamp(SHORTEST_MARGIN, LONGEST_MARGIN);
        (share * longest).min(1.0)
    }

    /// Notes an iteration that went `step` far.
    pub(crate) fn stepped(&mut self, step: f64) {
        self.step = step;
        self.iteration += 1;
    }
}
