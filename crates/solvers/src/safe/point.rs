//! A point of a descent.

use super::evaluate::Evaluation;
use super::{SafeSettings, Step};
use crate::Solution;
use ndarray::Array1;

/// Lower problems with a larger certified gap count as not solved.
const LARGEST_GAP: f64 = 1e-6;

/// Scales, and F and its gradient there.
pub(super) struct Point {
    pub(super) s: Array1<f64>,
    pub(super) evaluation: Evaluation,
}

impl Point {
    pub(super) fn upper(&self) -> f64 {
        self.evaluation.upper_objective
    }

    pub(super) fn is_solved(&self) -> bool {
        is_solved(&self.evaluation.lower)
    }

    /// What is told of it.
    pub(super) fn step(&self, settings: &SafeSettings) -> Step {
        Step {
            upper_objective: self.upper(),
            log_volume: self.s.iter().map(|s| s.ln()).sum(),
            projected_gradient: projected_length(&self.s, &self.evaluation.gradient, settings),
            lower_gap: self.evaluation.lower.relative_gap.value(),
            singular: self.evaluation.singular,
        }
    }
}

/// A gap that is NaN is no small gap.
pub(super) fn is_solved(lower: &Solution) -> bool {
    lower.relative_gap.value() <= LARGEST_GAP
}

/// The nearest point of the box.
pub(super) fn project(s: Array1<f64>, settings: &SafeSettings) -> Array1<f64> {
    s.mapv_into(|s| s.clamp(settings.s_min, settings.s_max))
}

/// `‖P(s − g) − s‖₂`.
pub(super) fn projected_length(
    s: &Array1<f64>,
    gradient: &Array1<f64>,
    settings: &SafeSettings,
) -> f64 {
    let moved = project(s - gradient, settings) - s;
    moved.dot(&moved).sqrt()
}
