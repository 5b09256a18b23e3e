//! Which stochastic method, with which steps, and when it stops.

use crate::{SolverError, SublinearProblem};

/// What a step does with the regularisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StochasticMethod {
    /// `ζ ← ζ − η(λ'ζ − v)`: a sub-gradient of the whole.
    Subgradient,
    /// `ζ ← (ζ + ηv)/(1 + ηλ')`: a sub-gradient of the losses, and the proximal operator of the regularisation.
    Proximal,
}

/// The length of the steps, in the mean form of [`crate::stochastic`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StepRule {
    /// `η_t = 1/(λ'W_t)`, W_t the batches taken, the one at hand included and each by its share of a full one [S. Shalev-Shwartz, Y. Singer, N. Srebro, A. Cotter, Math. Program. 127 (2011): Pegasos],
    /// without the projection: slow where λ is small beside the losses. A free intercept has no curvature, and takes AdaGrad's steps with rate 1.
    Pegasos,
    /// `η_k = rate/sqrt(Σ_t g_tk²)` for each weight k, g the sub-gradients so far [J. Duchi, E. Hazan, Y. Singer, J.
    /// Mach. Learn. Res. 12 (2011)]; of the losses alone in the proximal method. `rate` is of the size of the weights.
    AdaGrad {
        /// The rate, positive and finite.
        rate: f64,
    },
    /// `η_t = rate`, good with averaging [A. Nemirovski, A. Juditsky, G. Lan, A. Shapiro, SIAM J. Optim. 19 (2009)]: the
    /// average ends within O(rate) of the optimum, after a time that grows with 1/rate.
    Constant {
        /// The rate, positive and finite; in the sub-gradient method at most L/λ, beyond which ζ oscillates.
        rate: f64,
    },
}

/// Settings of the stochastic methods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StochasticSettings {
    /// Default proximal.
    pub method: StochasticMethod,
    /// Default AdaGrad with rate 0.1, which suits features of about unit variance whatever λ.
    pub step: StepRule,
    /// Samples in a mini-batch, at least 1; the last of an epoch may have fewer, and its step is shorter in proportion. Default 1.
    pub batch: usize,
    /// The largest number of epochs, at least 1. Default 1000.
    pub epochs: usize,
    /// The gap is computed after every so many epochs and the last, at least 1: it costs about an epoch, on blocks two, where it is left out as
    /// long as it is taken to be above the tolerance. Default 10.
    pub certify_every: usize,
    /// The certified relative gap at which the problem counts as solved, in (0, 1). Default 1e−2.
    pub tolerance: f64,
}

impl Default for StochasticSettings {
    fn default() -> Self {
        Self {
            method: StochasticMethod::Proximal,
            step: StepRule::AdaGrad { rate: 0.1 },
            batch: 1,
            epochs: 1000,
            certify_every: 10,
            tolerance: 1e-2,
        }
    }
}

impl StochasticSettings {
    /// Checks the ranges, for `problem`.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for what is outside its range.
    pub fn check(&self, problem: &SublinearProblem<'_>) -> Result<(), SolverError> {
        self.check_for(problem.y().len(), problem.lambda())
    }

    /// [`StochasticSettings::check`] for L samples and λ.
    pub(crate) fn check_for(&self, samples: usize, lambda: f64) -> Result<(), SolverError> {
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            return setting("tolerance", "between 0 and 1", self.tolerance);
        }
        for (name, count) in [
            ("batch", self.batch),
            ("epochs", self.epochs),
            ("certify_every", self.certify_every),
        ] {
            if count == 0 {
                return setting(name, "at least 1", count);
            }
        }
        let (StepRule::AdaGrad { rate } | StepRule::Constant { rate }) = self.step else {
            return Ok(());
        };
        if !(rate > 0.0 && rate.is_finite()) {
            return setting("rate", "positive and finite", rate);
        }
        let longest = samples as f64 / lambda;
        let oscillates = matches!(self.step, StepRule::Constant { .. }) && rate > longest;
        if oscillates && self.method == StochasticMethod::Subgradient {
            return setting(
                "rate",
                "at most rows/lambda in the sub-gradient method",
                rate,
            );
        }
        Ok(())
    }
}

/// The error for a setting out of its range.
pub(crate) fn setting(
    name: &'static str,
    expected: &'static str,
    found: impl std::fmt::Display + Copy,
) -> Result<(), SolverError> {
    Err(SolverError::Setting {
        name,
        expected,
        found: found.to_string(),
    })
}
