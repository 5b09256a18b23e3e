//! When the bundle method stops, and how much it remembers.

use crate::SolverError;

/// Settings of the bundle method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BundleSettings {
    /// The certified relative gap at which the problem counts as solved, in (0, 1). Default 1e−6.
    pub tolerance: f64,
    /// The largest number of master problems, at least 1. Default 200.
    pub max_iterations: usize,
    /// How many pieces are carried from one master problem to the next, at least 1, times L + D + 1 (an optimum
    /// has at most as many active ones). Of the samples with the most, those of the smallest multipliers are merged
    /// beyond it. Default 8.
    pub max_pieces: usize,
}

impl Default for BundleSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-6,
            max_iterations: 200,
            max_pieces: 8,
        }
    }
}

impl BundleSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for a tolerance outside (0, 1), no iterations, or no pieces.
    pub fn check(&self) -> Result<(), SolverError> {
        let setting = |name, expected, found| {
            Err(SolverError::Setting {
                name,
                expected,
                found,
            })
        };
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            return setting("tolerance", "between 0 and 1", self.tolerance.to_string());
        }
        if self.max_iterations == 0 {
            return setting("max_iterations", "at least 1", "0".into());
        }
        if self.max_pieces == 0 {
            return setting("max_pieces", "at least 1", "0".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::BundleSettings;

    #[test]
    fn ranges_are_checked() {
        let check = |change: fn(&mut BundleSettings)| {
            let mut settings = BundleSettings::default();
            change(&mut settings);
            settings.check()
        };
        assert!(check(|_| ()).is_ok());
        assert!(check(|s| s.tolerance = 0.0).is_err());
        assert!(check(|s| s.tolerance = 1.0).is_err());
        assert!(check(|s| s.tolerance = f64::NAN).is_err());
        assert!(check(|s| s.max_iterations = 0).is_err());
        assert!(check(|s| s.max_pieces = 0).is_err());
    }
}
