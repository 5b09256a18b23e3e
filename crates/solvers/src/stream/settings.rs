//! How training on blocks goes.

use crate::stochastic::setting;
use crate::{SolverError, StepRule, StochasticSettings};

/// Settings of the stochastic methods on blocks of rows, with defaults for many rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StreamSettings {
    /// Method, steps, epochs and tolerance as in memory. Default: proximal, AdaGrad with rate 1, which suits random Fourier
    /// features; 256 rows a batch; at most 8 epochs, of which there may be 65,535; the gap after the last, and
    /// after every fourth at which it may be the tolerance by the steps' own losses and if it falls as the inverse square of the number of epochs.
    /// No batch crosses the border of a block: each block is cut into as few as may be, equal within a block to one row.
    pub steps: StochasticSettings,
    /// How many blocks there are between two calls of the observer, at least 1. Default 64.
    pub observe_every: usize,
    /// Whether the rayon pool of the calling thread makes features ahead of the steps. The result has the same bits
    /// either way and for any number of threads. Default no.
    pub parallel: bool,
}

impl Default for StreamSettings {
    fn default() -> Self {
        Self {
            steps: StochasticSettings {
                step: StepRule::AdaGrad { rate: 1.0 },
                batch: 256,
                epochs: 8,
                certify_every: 4,
                ..StochasticSettings::default()
            },
            observe_every: 64,
            parallel: false,
        }
    }
}

impl StreamSettings {
    /// Checks the ranges for L rows and λ.
    pub(super) fn check(&self, rows: usize, lambda: f64) -> Result<(), SolverError> {
        self.steps.check_for(rows, lambda)?;
        if self.steps.epochs > usize::from(u16::MAX) {
            return setting("epochs", "at most 65535 on blocks", self.steps.epochs);
        }
        if self.observe_every == 0 {
            return setting("observe_every", "at least 1", 0);
        }
        Ok(())
    }
}
