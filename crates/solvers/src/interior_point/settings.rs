//! When the interior-point method stops.

use crate::SolverError;

/// Settings of the interior-point method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InteriorPointSettings {
    /// The certified relative gap at which the problem counts as solved, in (0, 1). Default 1e−9.
    pub tolerance: f64,
    /// The largest number of iterations, at least 1. Default 100; 8 to 25 are usual.
    pub max_iterations: usize,
    /// Whether the rayon pool of the calling thread is used; [`solve`](super::solve) and [`solve_from`](super::solve_from) then run on
    /// a thread of it from beginning to end. The result has the same bits either way
    /// and for any number of threads. Default no: where problems are solved side by side, one thread each is the best.
    pub parallel: bool,
}

impl Default for InteriorPointSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-9,
            max_iterations: 100,
            parallel: false,
        }
    }
}

impl InteriorPointSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for a tolerance outside (0, 1) or no iterations.
    pub fn check(&self) -> Result<(), SolverError> {
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            return Err(SolverError::Setting {
                name: "tolerance",
                expected: "between 0 and 1",
                found: self.tolerance.to_string(),
            });
        }
        if self.max_iterations == 0 {
            return Err(SolverError::Setting {
                name: "max_iterations",
                expected: "at least 1",
                found: "0".into(),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::InteriorPointSettings;

    #[test]
    fn ranges_are_checked() {
        let default = InteriorPointSettings::default();
        assert!(default.check().is_ok());
        for tolerance in [0.0, 1.0, -1e-9, f64::NAN] {
            assert!(
                InteriorPointSettings {
                    tolerance,
                    ..default
                }
                .check()
                .is_err()
            );
        }
        assert!(
            InteriorPointSettings {
                max_iterations: 0,
                ..default
            }
            .check()
            .is_err()
        );
    }
}
