//! What a state of the stochastic methods belongs to, as far as a few numbers tell.

use super::problem_key::ProblemKey;
use super::{StreamProblem, StreamSettings};
use crate::stochastic::Steps;
use crate::{StepRule, StochasticMethod, StochasticSettings};

/// The problem and settings of a state: it may go on with more epochs, another tolerance or other threads only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Key {
    pub(super) problem: ProblemKey,
    pub(super) method: StochasticMethod,
    pub(super) step: StepRule,
    pub(super) batch: usize,
}

const METHODS: [StochasticMethod; 2] = [StochasticMethod::Subgradient, StochasticMethod::Proximal];

impl Key {
    pub(super) fn of(problem: &StreamProblem<'_>, settings: &StreamSettings) -> Self {
        Self {
            problem: ProblemKey::of(problem),
            method: settings.steps.method,
            step: settings.steps.step,
            batch: settings.steps.batch,
        }
    }

    /// The rule of the steps, before the first.
    pub(super) fn steps(&self) -> Steps {
        let settings = StochasticSettings {
            method: self.method,
            step: self.step,
            batch: self.batch,
            ..StochasticSettings::default()
        };
        let of = &self.problem;
        let rule = (of.intercept, of.lambda);
        Steps::new((of.rows, of.dim), rule, &settings)
    }

    /// What it has beside the problem, as numbers.
    pub(super) fn words(&self) -> [u64; 4] {
        let (step, rate) = match self.step {
            StepRule::Pegasos => (0, 0.0),
            StepRule::AdaGrad { rate } => (1, rate),
            StepRule::Constant { rate } => (2, rate),
        };
        let method = u64::from(self.method == METHODS[1]);
        [method, step, f64::to_bits(rate), self.batch as u64]
    }

    /// From the numbers of the problem and its own; `None` if they are of no key.
    pub(super) fn from_words(problem: [u64; 9], own: [u64; 4]) -> Option<Self> {
        let [method, step, rate, batch] = own;
        let rate = f64::from_bits(rate);
        Some(Self {
            problem: ProblemKey::from_words(problem)?,
            method: *METHODS.get(usize::try_from(method).ok()?)?,
            step: match step {
                0 => StepRule::Pegasos,
                1 => StepRule::AdaGrad { rate },
                2 => StepRule::Constant { rate },
                _ => return None,
            },
            batch: usize::try_from(batch).ok()?,
        })
    }
}
