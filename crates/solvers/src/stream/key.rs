//! What a state belongs to, as far as a few numbers tell.

use super::fingerprint::fingerprint;
use super::{StreamProblem, StreamSettings};
use crate::stochastic::Steps;
use crate::{Intercept, StepRule, StochasticMethod, StochasticSettings};

/// The problem and settings of a state: it may go on with more epochs, another tolerance or other threads only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Key {
    pub(super) rows: usize,
    pub(super) dim: usize,
    pub(super) blocks: usize,
    pub(super) lambda: f64,
    pub(super) intercept: Intercept,
    pub(super) method: StochasticMethod,
    pub(super) step: StepRule,
    pub(super) batch: usize,
    /// Of the penalty and the map.
    pub(super) fingerprint: [u64; 4],
}

const INTERCEPTS: [Intercept; 3] = [Intercept::Free, Intercept::Penalised, Intercept::None];
const METHODS: [StochasticMethod; 2] = [StochasticMethod::Subgradient, StochasticMethod::Proximal];

impl Key {
    pub(super) fn of(problem: &StreamProblem<'_>, settings: &StreamSettings) -> Self {
        Self {
            rows: problem.rows(),
            dim: problem.dim(),
            blocks: problem.source().blocks(),
            lambda: problem.lambda(),
            intercept: problem.intercept(),
            method: settings.steps.method,
            step: settings.steps.step,
            batch: settings.steps.batch,
            fingerprint: fingerprint(problem),
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
        let rule = (self.intercept, self.lambda);
        Steps::new((self.rows, self.dim), rule, &settings)
    }

    /// As numbers.
    pub(super) fn words(&self) -> [u64; 13] {
        let (step, rate) = match self.step {
            StepRule::Pegasos => (0, 0.0),
            StepRule::AdaGrad { rate } => (1, rate),
            StepRule::Constant { rate } => (2, rate),
        };
        let place = |found: bool| u64::from(found);
        let method = place(self.method == METHODS[1]);
        let intercept =
            place(self.intercept == INTERCEPTS[1]) + 2 * place(self.intercept == INTERCEPTS[2]);
        let [a, b, c, d] = self.fingerprint;
        [
            self.rows as u64,
            self.dim as u64,
            self.blocks as u64,
            self.lambda.to_bits(),
            intercept,
            method,
            step,
            f64::to_bits(rate),
            self.batch as u64,
            a,
            b,
            c,
            d,
        ]
    }

    /// From numbers; `None` if they are of no key.
    pub(super) fn from_words(words: [u64; 13]) -> Option<Self> {
        let rate = f64::from_bits(words[7]);
        let size = |word: u64| usize::try_from(word).ok();
        Some(Self {
            rows: size(words[0])?,
            dim: size(words[1])?,
            blocks: size(words[2])?,
            lambda: f64::from_bits(words[3]),
            intercept: *INTERCEPTS.get(size(words[4])?)?,
            method: *METHODS.get(size(words[5])?)?,
            step: match words[6] {
                0 => StepRule::Pegasos,
                1 => StepRule::AdaGrad { rate },
                2 => StepRule::Constant { rate },
                _ => return None,
            },
            batch: size(words[8])?,
            fingerprint: [words[9], words[10], words[11], words[12]],
        })
    }
}
