//! How far a search goes.

use crate::BoundError;
use robust_svm_core::CoreError;

/// What a search is to settle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Whether the point can be made wrong.
    Verdict,
    /// The worst margin itself.
    Value,
}

/// The effort of a search by branch and bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BranchAndBound {
    cells: usize,
    tolerance: f64,
    goal: Goal,
}

impl BranchAndBound {
    /// At most `cells` ≥ 1 cells a point, until the ends of the bracket are within `tolerance` > 0 of each
    /// other, or, for the verdict, on one side of 0.
    ///
    /// # Errors
    /// [`BoundError::Core`] if a number is out of its range.
    pub fn new(cells: usize, tolerance: f64, goal: Goal) -> Result<Self, BoundError> {
        if cells == 0 {
            return Err(CoreError::parameter("cells", "at least 1", cells).into());
        }
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            let error = CoreError::parameter("tolerance", "positive and finite", tolerance);
            return Err(error.into());
        }
        Ok(Self {
            cells,
            tolerance,
            goal,
        })
    }

    /// Cells evaluated around a point at most.
    pub fn cells(self) -> usize {
        self.cells
    }

    /// Whether nothing is left to settle between `lower` and `upper`.
    pub(super) fn is_settled(self, lower: f64, upper: f64) -> bool {
        let decided = self.goal == Goal::Verdict && (upper <= 0.0 || lower > 0.0);
        decided || upper - lower <= self.tolerance
    }
}
