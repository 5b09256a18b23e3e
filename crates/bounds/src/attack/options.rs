//! How hard an attack tries.

use robust_svm_core::CoreError;

use crate::BoundError;

/// The effort of a projected-gradient attack; linear models need none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttackOptions {
    steps: usize,
    restarts: usize,
}

impl AttackOptions {
    /// `steps` ≥ 1 gradient steps from each of `restarts` ≥ 1 starts.
    ///
    /// # Errors
    /// [`BoundError::Core`] if either is 0.
    pub fn new(steps: usize, restarts: usize) -> Result<Self, BoundError> {
        for (name, value) in [("steps", steps), ("restarts", restarts)] {
            if value == 0 {
                return Err(CoreError::parameter(name, "at least 1", value).into());
            }
        }
        Ok(Self { steps, restarts })
    }

    /// Gradient steps from each start.
    pub fn steps(self) -> usize {
        self.steps
    }

    /// Starts of each point.
    pub fn restarts(self) -> usize {
        self.restarts
    }
}
