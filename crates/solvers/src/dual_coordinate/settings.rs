//! When coordinate descent stops, and where its random numbers come from.

use crate::SolverError;
use rand_chacha::ChaCha20Rng;

/// Settings of dual coordinate descent.
#[derive(Debug, Clone, PartialEq)]
pub struct DualCoordinateSettings {
    /// The certified relative gap at which the problem counts as solved, in (0, 1).
    pub tolerance: f64,
    /// The largest number of epochs, passes over the samples that are not set aside, at least 1. A Newton step at the end of a solve
    /// counts as one.
    pub max_epochs: usize,
    /// The stream that orders the samples, anew in each epoch. A solve reads a copy of it.
    pub rng: ChaCha20Rng,
}

impl DualCoordinateSettings {
    /// A tolerance of 1e−4 and 100,000 epochs: most are short, over the samples not set aside.
    pub fn new(rng: ChaCha20Rng) -> Self {
        Self {
            tolerance: 1e-4,
            max_epochs: 100_000,
            rng,
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for a tolerance outside (0, 1) or no epochs.
    pub fn check(&self) -> Result<(), SolverError> {
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            return Err(SolverError::Setting {
                name: "tolerance",
                expected: "between 0 and 1",
                found: self.tolerance.to_string(),
            });
        }
        if self.max_epochs == 0 {
            return Err(SolverError::Setting {
                name: "max_epochs",
                expected: "at least 1",
                found: "0".into(),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::DualCoordinateSettings;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    #[test]
    fn ranges_are_checked() {
        let check = |change: fn(&mut DualCoordinateSettings)| {
            let mut settings = DualCoordinateSettings::new(ChaCha20Rng::seed_from_u64(0));
            change(&mut settings);
            settings.check()
        };
        assert!(check(|_| ()).is_ok());
        assert!(check(|s| s.tolerance = 0.0).is_err());
        assert!(check(|s| s.tolerance = 1.0).is_err());
        assert!(check(|s| s.tolerance = f64::NAN).is_err());
        assert!(check(|s| s.max_epochs = 0).is_err());
    }
}
